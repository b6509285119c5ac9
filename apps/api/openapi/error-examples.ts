import { KEY_IN_USE } from '#database';
import { errorCodes, type ErrorCode } from '#errors';

interface Told {
  message: string;
  details?: { path: string; message: string }[];
}

const LAST_OWNER = 'A workspace never loses its last owner; name another one first.';
const BATCH_TOO_LARGE = { message: 'The body is too large: at most 16 MiB may be sent here.' };
const STALE: Told = {
  message: errorCodes.stale.message,
  details: [
    {
      path: 'operations.1.ifMatch',
      message: 'operations.1.ifMatch is of an earlier state; the ETag is "mi6hq0k8" now',
    },
  ],
};

/** What is told of the usual case, where errors say more than their kind does. */
const usual: Partial<Record<ErrorCode, Told>> = {
  invalid: {
    message: 'name must not be empty.',
    details: [{ path: 'name', message: 'name must not be empty' }],
  },
  not_found: { message: 'There is no such template.' },
  conflict: { message: KEY_IN_USE },
  too_large: { message: 'The body is too large: at most 1 MiB may be sent here.' },
  too_many_requests: {
    message:
      'Too many requests: 6000 in 60 seconds are allowed of one user or API key. Come again in 42 seconds.',
  },
};

/** By `operationId`: those that differ. */
const own: Record<string, Partial<Record<ErrorCode, Told>>> = {
  receiveProviderMessage: { not_found: { message: 'There is no such webhook.' } },
  getReadiness: {
    unavailable: { message: 'The database does not answer.' },
  },
  deleteWorkspace: {
    conflict: {
      message:
        'The workspace still holds templates or modules; delete them first, or all of it with force=true.',
    },
  },
  addMember: { conflict: { message: 'The user is a member already.' } },
  changeMemberRole: { conflict: { message: LAST_OWNER } },
  removeMember: { conflict: { message: LAST_OWNER } },
  batchTemplates: { stale: STALE, too_large: BATCH_TOO_LARGE },
  batchModules: { stale: STALE, too_large: BATCH_TOO_LARGE },
  enableWebhook: { conflict: { message: 'The webhook is not disabled; nothing is held.' } },
  rotateWebhookSecret: {
    conflict: {
      message:
        '4 earlier secrets still sign; wait until one is over, or end all of them with overlapHours 0.',
    },
  },
  testWebhook: {
    conflict: { message: 'The webhook is disabled; enable it to send a test.' },
  },
  retryDeliveries: {
    conflict: { message: 'The webhook is disabled; enable it, and what is held is sent.' },
  },
  retryDelivery: {
    conflict: { message: 'The webhook is disabled; enable it, and what is held is sent.' },
  },
  cancelDelivery: { conflict: { message: 'The delivery is over: it was delivered.' } },
  startReplay: {
    conflict: {
      message: 'A replay of this webhook is still running; wait for its end, or cancel it.',
    },
  },
  cancelReplay: {
    conflict: { message: 'The replay is over; there is nothing to cancel.' },
  },
};

/** The body of an error, as `operation` or else the usual case tells of it. */
export const errorExampleOf = (code: ErrorCode, operation = '') => {
  const kind = errorCodes[code];
  const told = own[operation]?.[code] ?? usual[code] ?? ('message' in kind ? kind : undefined);
  if (told === undefined) throw new Error(`There is no example of ${code}.`);
  const { message, details } = told as Told;
  return { statusCode: kind.status, code, message, ...(details && { details }) };
};
