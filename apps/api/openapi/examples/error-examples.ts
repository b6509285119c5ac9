import { KEY_IN_USE } from '#database';
import { errorCodes, type ErrorCode } from '#errors';

interface ErrorExample {
  message: string;
  details?: { path: string; message: string }[];
}

const LAST_OWNER_MESSAGE = 'A workspace must have an owner; make another member an owner first.';
const BATCH_TOO_LARGE_EXAMPLE = {
  message: 'The body is too large: the limit is 16 MiB.',
};
const STALE_EXAMPLE: ErrorExample = {
  message: errorCodes.stale.message,
  details: [
    {
      path: 'operations.1.ifMatch',
      message:
        'operations.1.ifMatch is the ETag of an earlier state; the current ETag is "mi6hq0k8"',
    },
  ],
};

const takenExample = (kind: string, path = 'externalId'): ErrorExample => {
  const message = `${path} belongs to another ${kind} in the workspace; choose another one, or update that ${kind}`;
  return { message: `${message}.`, details: [{ path, message }] };
};

const UPLOAD_EXAMPLES: Partial<Record<ErrorCode, ErrorExample>> = {
  conflict: {
    message: 'This Galley stores no pictures. Ask its operator to set ASSETS_STORAGE.',
  },
  too_large: { message: 'The picture is too large: the limit is 10 MiB.' },
  unsupported_media_type: {
    message: 'The body must be sent as multipart/form-data, and not compressed.',
  },
};

/** The default example of each code whose message depends on the request. */
const defaultExamples: Partial<Record<ErrorCode, ErrorExample>> = {
  invalid: {
    message: 'name must not be empty.',
    details: [{ path: 'name', message: 'name must not be empty' }],
  },
  not_found: { message: 'There is no such template.' },
  in_progress: { message: KEY_IN_USE },
  conflict: {
    message:
      'The delivery is waiting for an earlier delivery of the same resource; retry the earlier delivery.',
  },
  too_large: { message: 'The body is too large: the limit is 1 MiB.' },
  too_many_requests: {
    message:
      'Too many requests: the limit is 6000 requests in 60 seconds for each user or API key. Retry in 42 seconds.',
  },
};

/** The example errors that differ from the default ones, by `operationId`. */
const examplesByOperation: Record<string, Partial<Record<ErrorCode, ErrorExample>>> = {
  receiveProviderMessage: { not_found: { message: 'There is no such webhook.' } },
  getReadiness: {
    unavailable: { message: 'The database does not respond.' },
  },
  createTemplate: { already_exists: takenExample('template') },
  createModule: { already_exists: takenExample('module') },
  updateTemplate: { already_exists: takenExample('template') },
  updateModule: { already_exists: takenExample('module') },
  restoreFromTrash: {
    already_exists: {
      message:
        'The externalId "goodbye" now belongs to another template in the workspace. Change or remove the externalId of that template, then restore this one.',
    },
  },
  deleteModule: {
    in_use: {
      message:
        '1 template uses this module. Remove the references, or send force=true to delete the module anyway.',
    },
  },
  deleteWorkspace: {
    in_use: {
      message:
        'The workspace still has templates, modules or pictures; delete them first, or send force=true to delete everything.',
    },
  },
  createEnvironment: { already_exists: { message: 'The environment already exists.' } },
  deleteEnvironment: {
    in_use: {
      message:
        'Templates are published or scheduled in the environment; unpublish them and cancel the schedules first, or send force=true to do both.',
    },
  },
  publishTemplate: {
    limit_reached: {
      message: 'The template has 100 scheduled publications, which is the limit; cancel one first.',
    },
  },
  uploadAsset: UPLOAD_EXAMPLES,
  replaceAsset: UPLOAD_EXAMPLES,
  deleteAsset: {
    in_use: {
      message:
        'A template or module refers to this picture. Remove the references, or send force=true to delete the picture anyway.',
    },
  },
  sendTestEmail: {
    conflict: {
      message: 'This Galley sends no emails: its operator must set SMTP_URL and MAIL_FROM first.',
    },
  },
  addMember: { already_exists: { message: 'The user is already a member.' } },
  changeMemberRole: { last_owner: { message: LAST_OWNER_MESSAGE } },
  removeMember: { last_owner: { message: LAST_OWNER_MESSAGE } },
  batchTemplates: {
    stale: STALE_EXAMPLE,
    too_large: BATCH_TOO_LARGE_EXAMPLE,
    already_exists: takenExample('template', 'operations.1.externalId'),
  },
  batchModules: {
    stale: STALE_EXAMPLE,
    too_large: BATCH_TOO_LARGE_EXAMPLE,
    already_exists: takenExample('module', 'operations.1.externalId'),
  },
  enableWebhook: {
    conflict: { message: 'The webhook is not disabled, so it holds no deliveries.' },
  },
  rotateWebhookSecret: {
    limit_reached: {
      message:
        '4 earlier secrets still sign notifications; wait until one expires, or set overlapHours to 0 to invalidate all of them.',
    },
  },
  testWebhook: {
    webhook_disabled: { message: 'The webhook is disabled; enable it to send a test.' },
  },
  retryDeliveries: {
    webhook_disabled: {
      message: 'The webhook is disabled; enable it to send the held deliveries.',
    },
  },
  retryDelivery: {
    webhook_disabled: {
      message: 'The webhook is disabled; enable it to send the held deliveries.',
    },
  },
  cancelDelivery: {
    already_finished: { message: 'The delivery has already finished: its status is delivered.' },
  },
  startReplay: {
    still_running: {
      message: 'A replay of this webhook is still running; wait until it is done, or cancel it.',
    },
  },
  updateModuleUsages: {
    still_running: {
      message:
        'Another usage update is still running in the workspace; wait until it is done, or cancel it.',
    },
  },
  cancelModuleUsageUpdate: {
    already_finished: { message: 'The usage update is finished; there is nothing to cancel.' },
  },
  cancelReplay: {
    already_finished: { message: 'The replay is finished; there is nothing to cancel.' },
  },
};

/** Whether the operation has its own example for the code. */
export const hasExampleOf = (code: ErrorCode, operationId: string): boolean =>
  examplesByOperation[operationId]?.[code] !== undefined;

/** The example body of an error: the example of the operation, or else the default one. */
export const errorExampleOf = (code: ErrorCode, operationId = '') => {
  const errorDefinition = errorCodes[code];
  const example =
    examplesByOperation[operationId]?.[code] ??
    defaultExamples[code] ??
    ('message' in errorDefinition ? errorDefinition : undefined);
  if (example === undefined) throw new Error(`There is no example of ${code}.`);
  const { message, details } = example as ErrorExample;
  return { statusCode: errorDefinition.status, code, message, ...(details && { details }) };
};
