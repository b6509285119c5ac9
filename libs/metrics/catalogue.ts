type Program = 'api' | 'worker';

interface Definition {
  type: 'counter' | 'gauge' | 'histogram';
  programs: readonly Program[];
  help: string;
  labels: readonly string[];
  /** The upper bounds of a histogram's buckets, in seconds. */
  buckets?: readonly number[];
}

const API = ['api'] as const;
const WORKER = ['worker'] as const;
const BOTH = ['api', 'worker'] as const;

// A read takes about 5 ms, and a request that waits for a slot is refused after 5 s.
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
// An attempt times out after 15 s.
const ATTEMPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;
// Without load, a delivery starts after about 10 ms. A lost signal delays it by a second, and a lost job by 20 s.
const LATENCY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/**
 * All of Galley's own metrics. The instruments and the table in docs/run/metrics.md are generated from this list. The
 * values of every label come from Galley's code, never from a client, a receiver or a row of the database, so the
 * number of series is bounded.
 */
export const catalogue = {
  galley_http_requests_total: {
    type: 'counter',
    programs: API,
    labels: ['method', 'route', 'status'],
    help: 'HTTP responses. route is the pattern of the path, such as /api/templates/:id, or unmatched if no route matches. method is other if no route has that method.',
  },
  galley_http_request_duration_seconds: {
    type: 'histogram',
    programs: API,
    labels: ['method', 'route'],
    buckets: REQUEST_BUCKETS,
    help: 'Time from the headers of a request to the end of its response. It includes the time in which the client sends the body and reads the response.',
  },
  galley_http_requests_in_flight: {
    type: 'gauge',
    programs: API,
    labels: [],
    help: 'Requests in progress.',
  },
  galley_rate_limited_requests_total: {
    type: 'counter',
    programs: API,
    labels: ['limit'],
    help: 'Requests refused by a rate limit. limit is address for the limit per IP address, and user for the limit per user or API key.',
  },
  galley_database_reads_total: {
    type: 'counter',
    programs: API,
    labels: ['source'],
    help: 'Database reads for GET requests, by source: replica or primary. Not exported if DATABASE_REPLICA_URL is not set.',
  },
  galley_database_replica_lag_seconds: {
    type: 'gauge',
    programs: API,
    labels: [],
    help: 'Upper bound of the lag of the replica behind the primary. Measured once a second. Rises while the replica cannot be used. Absent without DATABASE_REPLICA_URL.',
  },
  galley_admission_slots: {
    type: 'gauge',
    programs: API,
    labels: [],
    help: 'Maximum number of requests that use the database at the same time.',
  },
  galley_admission_in_use: {
    type: 'gauge',
    programs: API,
    labels: [],
    help: 'Requests that are using the database.',
  },
  galley_admission_waiting: {
    type: 'gauge',
    programs: API,
    labels: [],
    help: 'Requests that are waiting for the database.',
  },
  galley_delivery_attempts_total: {
    type: 'counter',
    programs: WORKER,
    labels: ['result', 'stage'],
    help: 'Attempts by result: delivered, failed or not_sent. not_sent means that a problem outside the receiver prevented the attempt; the delivery may still make as many attempts as before. stage is where the attempt ended: event, sign, dns, connect, tls, send, first-byte or status; stage is none if result is delivered.',
  },
  galley_delivery_attempt_duration_seconds: {
    type: 'histogram',
    programs: WORKER,
    labels: ['result'],
    buckets: ATTEMPT_BUCKETS,
    help: 'Time from the start of an attempt to its result, with a precision of one millisecond.',
  },
  galley_delivery_latency_seconds: {
    type: 'histogram',
    programs: WORKER,
    labels: [],
    buckets: LATENCY_BUCKETS,
    help: "Time from the commit of an event, by PostgreSQL's clock, to the start of the first attempt, by the worker's clock. Replays and retries do not count. Deliveries that were held while their endpoint was disabled or paused do count.",
  },
  galley_worker_slots: {
    type: 'gauge',
    programs: WORKER,
    labels: [],
    help: 'Maximum number of attempts that this worker has in flight.',
  },
  galley_worker_slots_in_use: {
    type: 'gauge',
    programs: WORKER,
    labels: [],
    help: 'Attempts that this worker has in flight, plus the slots that it holds while it claims deliveries.',
  },
  galley_worker_endpoints_waiting: {
    type: 'gauge',
    programs: WORKER,
    labels: ['health'],
    help: 'Endpoints with due deliveries that wait for a slot of this worker, by health: healthy, unproven or failing. Unproven and failing endpoints may hold only a few slots, so they may wait even while other slots are free.',
  },
  galley_events_relayed_total: {
    type: 'counter',
    programs: WORKER,
    labels: [],
    help: 'Events that this worker has moved from the outbox to the feed of their workspace.',
  },
  galley_worker_loop_errors_total: {
    type: 'counter',
    programs: WORKER,
    labels: ['loop'],
    help: 'Failures in the background loops of this worker, such as the relay of the outbox. Each failure is logged, and the loop tries again after a second.',
  },
  galley_outbox_events: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Events in the outbox, counted up to 100000. One program at a time exports this metric, for the whole installation.',
  },
  galley_outbox_oldest_age_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Age of the oldest event in the outbox, 0 if it is empty. One program at a time exports this metric, for the whole installation.',
  },
  galley_search_documents_waiting: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Changed templates and modules that no worker has indexed for the search yet, counted up to 10000. One program at a time exports this metric, for the whole installation.',
  },
  galley_search_oldest_due_age_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'How long the change that has been due longest has waited to be indexed for the search; 0 if no change is due. At most 1000 workspaces are examined. One program at a time exports this metric, for the whole installation.',
  },
  galley_deliveries: {
    type: 'gauge',
    programs: BOTH,
    labels: ['state'],
    help: 'Pending deliveries by state: due (waiting for a worker), in_flight, paused (the receiver fails, or its rate limit is used up), held (the endpoint is disabled) or scheduled (the next attempt is later, or an earlier delivery of the same resource has not finished). At most 10000 endpoints and about 100000 deliveries are counted; endpoints with long backlogs share the 100000 equally. One program at a time exports this metric, for the whole installation.',
  },
  galley_deliveries_oldest_due_age_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'How long the delivery that has been due longest has waited for a worker. Endpoints that are disabled, failing or paused do not count, because a faster Galley would not help them. One program at a time exports this metric, for the whole installation.',
  },
  galley_endpoints: {
    type: 'gauge',
    programs: BOTH,
    labels: ['state'],
    help: 'Endpoints by status: active, failing or disabled. Each status is counted up to 100000. One program at a time exports this metric, for the whole installation.',
  },
  galley_breakers_open: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Open circuit breakers of endpoints with pending deliveries. One program at a time exports this metric, for the whole installation.',
  },
  galley_workspace_backlog_deliveries: {
    type: 'gauge',
    programs: BOTH,
    labels: ['rank'],
    help: 'Pending deliveries, except held ones, of the ten workspaces with the largest backlogs. rank 1 is the workspace with the largest backlog. One program at a time exports this metric, for the whole installation.',
  },
  galley_queue_jobs: {
    type: 'gauge',
    programs: BOTH,
    labels: ['state'],
    help: 'Jobs in the queue by state: waiting or active. A job names up to 20 endpoints with due deliveries. One program at a time exports this metric, for the whole installation.',
  },
  galley_queue_oldest_job_age_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'How long the first job in the queue has waited, 0 if none waits. One program at a time exports this metric, for the whole installation.',
  },
  galley_encryption_key_webhooks: {
    type: 'gauge',
    programs: BOTH,
    labels: ['key'],
    help: 'Webhooks whose secret or headers are encrypted with a key of SECRETS_KEYS. A worker counts them every hour, and after a different key has become active. key is active for the key that encrypts new data, and old for all other keys together. While the value for old is above 0, keep the old keys in SECRETS_KEYS. One program at a time exports this metric, for the whole installation.',
  },
  galley_encryption_key_waiting: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Running programs whose first key of SECRETS_KEYS is not used for encryption yet, because it is not the first key of all running programs; 0 between rotations. One program at a time exports this metric, for the whole installation.',
  },
  galley_observed_timestamp_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'When the metrics for the whole installation were last measured, as a Unix time. Only the program that measures them exports this.',
  },
  galley_database_pool_size: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Maximum number of connections in the pool (DATABASE_POOL_SIZE). A queue in PostgreSQL has a pool of its own.',
  },
  galley_database_pool_connections: {
    type: 'gauge',
    programs: BOTH,
    labels: ['state'],
    help: 'Open connections of the pool: in_use or idle.',
  },
  galley_database_pool_waiting: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: 'Statements and transactions that wait for a connection of the pool.',
  },
  galley_database_shortages_total: {
    type: 'counter',
    programs: BOTH,
    labels: ['cause'],
    help: 'Statements and transactions that PostgreSQL aborted, by cause: disk_full, out_of_memory, io_error, or timeout after 30 s. They changed nothing. A queue in PostgreSQL has a pool of its own, which is not counted.',
  },
  galley_clock_offset_seconds: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: "How far the clock of the program is ahead of PostgreSQL's, measured at each scrape, accurate to half a round trip; negative if the clock is behind. Absent while PostgreSQL does not respond.",
  },
  galley_ready: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: '1 if the program is ready, otherwise 0. Each scrape runs the same check as GET /health/ready.',
  },
  galley_migrations_pending: {
    type: 'gauge',
    programs: BOTH,
    labels: [],
    help: '1 if the database lacks migrations of this program, otherwise 0. Absent while PostgreSQL does not respond.',
  },
  galley_schema_migration_info: {
    type: 'gauge',
    programs: BOTH,
    labels: ['migration'],
    help: 'Always 1. migration is the latest migration in the database. Absent while PostgreSQL does not respond.',
  },
  galley_build_info: {
    type: 'gauge',
    programs: BOTH,
    labels: ['version', 'commit', 'node_version'],
    help: 'Always 1. The version of Galley, the commit that was built (empty if unknown), and the version of Node.js.',
  },
} as const satisfies Record<string, Definition>;

export type Catalogue = typeof catalogue;
export type MetricName = keyof Catalogue;
export type { Definition, Program };
