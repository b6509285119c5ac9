import type { Defect } from './defect.ts';

const TRAFFIC = 'libs/webhooks/traffic/window-and-breaker.sql.ts';
const RECORD_TRAFFIC = ['test/engine/recording/record-traffic.test.ts'];
const ALLOWANCE = 'libs/webhooks/traffic/claim-allowance.sql.ts';
const CLAIM = ['test/engine/claim-deliveries.test.ts'];
const PACE = ['test/engine/claim-pace.test.ts'];
const SCHEDULE = 'libs/webhooks/pipeline/retry-schedule.ts';
const RETRY_SCHEDULE = ['libs/webhooks/pipeline/retry-schedule.spec.ts'];

/** Window, circuit breaker, pace and retries of an endpoint. */
export const delivery: Defect[] = [
  {
    name: 'the window grows although little of it is in use',
    file: TRAFFIC,
    text: 'WHEN traffic.in_flight < traffic.window_size / 2 THEN',
    replacement: 'WHEN traffic.in_flight < 0 THEN',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the window grows by one, however many attempts succeed together',
    file: TRAFFIC,
    text: 'traffic.window_size + tally.successes)',
    replacement: 'traffic.window_size + 1)',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the window grows without a limit',
    file: TRAFFIC,
    text: 'least(${MAX_WINDOW}, traffic.window_size + tally.successes)',
    replacement: 'traffic.window_size + tally.successes',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a failure does not shrink the window',
    file: TRAFFIC,
    text: 'greatest(1, traffic.window_size / 2)',
    replacement: 'greatest(1, traffic.window_size)',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the window shrinks to nothing',
    file: TRAFFIC,
    text: 'greatest(1, traffic.window_size / 2)',
    replacement: 'traffic.window_size / 2',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a pause that the receiver asks for leaves the window as it is',
    file: TRAFFIC,
    text: "WHEN tally.retry_after > interval '0' THEN 1",
    replacement: "WHEN tally.retry_after < interval '0' THEN 1",
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the circuit breaker opens one failure too late',
    file: TRAFFIC,
    text: '>= ${FAILURES_TO_OPEN} AS should_open',
    replacement: '> ${FAILURES_TO_OPEN} AS should_open',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a failure from before the pause prolongs the pause of the breaker',
    file: TRAFFIC,
    text: 'attempts.failed AND traffic.open_until <= now()',
    replacement: 'attempts.failed AND traffic.open_until <= traffic.open_until',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the pause of the breaker does not double',
    file: TRAFFIC,
    text: "interval '${INITIAL_BREAKER_PAUSE}' * 2 ^ least(opened, 10)",
    replacement: "interval '${INITIAL_BREAKER_PAUSE}' * 2 ^ least(opened, 0)",
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'the pause of the breaker has no jitter',
    file: TRAFFIC,
    text: '(0.8 + 0.4 * random())',
    replacement: '1.0',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a half-open breaker lets a whole window through',
    file: TRAFFIC,
    text: 'CASE WHEN should_open THEN 1 ELSE next_window_size END',
    replacement: 'CASE WHEN should_open THEN next_window_size ELSE next_window_size END',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a success does not close the breaker',
    file: TRAFFIC,
    text: 'CASE WHEN succeeded THEN 0 WHEN should_open THEN opened + 1',
    replacement: 'CASE WHEN should_open THEN opened + 1',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'an endpoint wakes up only later, although a success has closed its breaker',
    file: TRAFFIC,
    text: 'WHEN succeeded AND opened > 0 THEN now()',
    replacement: 'WHEN succeeded AND opened < 0 THEN now()',
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a time without attempts counts for the disabling of an endpoint',
    file: TRAFFIC,
    text: "CASE WHEN traffic.failed_at >= now() - interval '${FAILURE_STREAK_GAP}'",
    replacement: "CASE WHEN traffic.failed_at >= '-infinity'",
    tests: RECORD_TRAFFIC,
  },
  {
    name: 'a claim ignores the open breaker',
    file: ALLOWANCE,
    text: "endpoint.status = 'disabled' OR traffic.open_until > now() THEN 0",
    replacement: "endpoint.status = 'disabled' THEN 0",
    tests: CLAIM,
  },
  {
    name: 'a claim does not count the deliveries in flight',
    file: ALLOWANCE,
    text: 'traffic.window_size - lease.in_flight_before',
    replacement: 'traffic.window_size',
    tests: CLAIM,
  },
  {
    name: 'deliveries of an expired lease stay in flight',
    file: ALLOWANCE,
    text: 'CASE WHEN traffic.claimed_until <= now() THEN 0 ELSE traffic.in_flight END',
    replacement: 'traffic.in_flight',
    tests: CLAIM,
  },
  {
    name: 'an idle endpoint saves up attempts beyond its rate',
    file: ALLOWANCE,
    text: 'greatest(traffic.paced_until, now()) AS paced_until',
    replacement: 'traffic.paced_until AS paced_until',
    tests: PACE,
  },
  {
    name: 'a drain ignores the rate limit of the endpoint',
    file: ALLOWANCE,
    text: 'least(endpoint.rate_limit, CASE WHEN traffic.is_draining THEN ${DRAIN_RATE} END)',
    replacement:
      'coalesce(CASE WHEN traffic.is_draining THEN ${DRAIN_RATE} END, endpoint.rate_limit)',
    tests: PACE,
  },
  {
    name: 'the schedule of retries has one attempt fewer',
    file: SCHEDULE,
    text: 'RETRY_DELAYS[attemptNumber - 1]',
    replacement: 'RETRY_DELAYS[attemptNumber]',
    tests: RETRY_SCHEDULE,
  },
  {
    name: 'retries have no jitter',
    file: SCHEDULE,
    text: '(1 + JITTER * (2 * Math.random() - 1))',
    replacement: '1',
    tests: RETRY_SCHEDULE,
  },
  {
    name: 'a receiver may postpone a retry without a limit',
    file: SCHEDULE,
    text: 'Math.min(retryAfterMs, MAX_DELAY)',
    replacement: 'retryAfterMs',
    tests: RETRY_SCHEDULE,
  },
  {
    name: 'a retry comes earlier than the receiver asked',
    file: SCHEDULE,
    text: 'Math.max(jittered, requested)',
    replacement: 'Math.min(jittered, requested || jittered)',
    tests: RETRY_SCHEDULE,
  },
  {
    name: 'a key that SECRETS_KEYS lacks costs an attempt',
    file: 'libs/webhooks/pipeline/delivery-request.ts',
    text: 'if (error instanceof MissingKey) return missingKeyProblem(error);',
    replacement: `if (error instanceof MissingKey) return { stage: 'sign', error: 'no key' };`,
    tests: ['test/system/webhooks/missing-key.test.ts'],
  },
];
