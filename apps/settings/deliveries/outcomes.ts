import type { AttemptOutcome, Delivery, DeliveryStatus } from '#client';
import { formatDuration } from '../controls/format.js';
import { failures, type FailureText } from './failure-texts.js';

const CONNECT_TIMEOUT = /\((UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)\)|within \d+ s/;
const RESPONSE_TIMEOUT = /within \d+ s/;
const NOT_TLS = /\(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)\)/;
const PRIVATE_ADDRESS = /is not a public address/;

type Outcome = Pick<AttemptOutcome, 'stage' | 'statusCode' | 'error'>;

/** Explains why an attempt failed. Undefined if the attempt succeeded. */
export function explainFailure({ stage, statusCode, error }: Outcome): FailureText | undefined {
  if (stage === null) return undefined;
  const { details, stages } = failures;
  if (stage === 'status') return explainStatus(statusCode ?? 0);
  const reason = error ?? '';
  if (stage === 'connect' && CONNECT_TIMEOUT.test(reason)) return details.connectTimeout;
  if (stage === 'first-byte' && RESPONSE_TIMEOUT.test(reason)) return details.responseTimeout;
  if (stage === 'tls' && NOT_TLS.test(reason)) return details.notTls;
  if (stage === 'dns' && PRIVATE_ADDRESS.test(reason)) return details.privateAddress;
  return stages[stage];
}

/** Describes an attempt for a table cell: the status code or the failure, and the duration. */
export function describeOutcome(attempt: AttemptOutcome): string {
  const label = explainFailure(attempt)?.label ?? String(attempt.statusCode ?? '');
  return `${label} · ${formatDuration(attempt.durationMs)}`;
}

function explainStatus(code: number): FailureText {
  const { statusCodes, statusClasses } = failures;
  return { label: String(code), ...(statusCodes[code] ?? statusClasses[classOf(code)](code)) };
}

function classOf(code: number): keyof typeof failures.statusClasses {
  if (code >= 500) return 'server';
  if (code >= 400) return 'client';
  return code >= 300 ? 'redirect' : 'informational';
}

/** The API has no `retrying` status: a delivery that waits for a retry is `pending`. */
export type ShownStatus = DeliveryStatus | 'retrying';

/** The status that the page shows. A pending delivery whose last attempt failed is shown as `retrying`. */
export const shownStatusOf = ({
  status,
  lastAttempt,
}: Pick<Delivery, 'status' | 'lastAttempt'>): ShownStatus =>
  status === 'pending' && lastAttempt !== null && lastAttempt.stage !== null ? 'retrying' : status;
