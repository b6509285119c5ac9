import { sortOrders } from '#documents';
import { errorCodes, type ErrorCode } from '#errors';
import { eventKinds, eventPatterns } from '#events';
import { auditActions, keyRoles, memberStatuses, roles } from '#workspaces';
import { longJobStatuses } from '#long-jobs';
import {
  attemptStages,
  deliveryStatuses,
  endpointStatuses,
  finishedStatuses,
  heldDeliveriesActions,
} from '#webhooks';

/** Lists of values with a name in the OpenAPI document, so that generated clients have types for them. */
export const enums = {
  AttemptStage: attemptStages,
  AuditAction: auditActions,
  DeliveryStatus: deliveryStatuses,
  ErrorCode: Object.keys(errorCodes) as ErrorCode[],
  EventKind: eventKinds,
  FinishedStatus: finishedStatuses,
  HeldChoice: heldDeliveriesActions,
  KeyRole: keyRoles,
  MemberStatus: memberStatuses,
  ReplayStatus: longJobStatuses,
  Role: roles,
  Sort: sortOrders,
  SubscribableKind: eventPatterns,
  WebhookStatus: endpointStatuses,
} as const;

export type EnumName = keyof typeof enums;

const descriptions: Record<EnumName, string> = {
  AttemptStage: `Where an attempt failed. \`event\`: the event is no longer kept. \`sign\`: the secret is not readable. \`dns\`: the name does not exist, or its address is not public. \`connect\`: the connection was not accepted. \`tls\`: the certificate is not valid, or the version of TLS is too old. \`send\`: the connection broke while the request was sent. \`first-byte\`: no response in time, or one that is not HTTP. \`status\`: the response was not 2xx.`,
  AuditAction: 'The kind of change.',
  DeliveryStatus:
    '`pending`: waiting for the first or the next attempt. `held`: the same, while the webhook is disabled. Finished deliveries are `delivered` (the response was 2xx), `failed` (given up) or `cancelled`.',
  ErrorCode:
    'The kind of error, for programs. A code never changes its meaning; more codes may be added. Handle an unknown code by its status.',
  EventKind: 'What happened.',
  FinishedStatus: 'The status of a finished delivery.',
  HeldChoice: 'What to do with deliveries that were held while the webhook was disabled.',
  KeyRole: 'The role of an API key in its workspace. Each role includes the roles before it.',
  MemberStatus:
    '`invited` until somebody signs in with the email address; `deactivated` and `deleted` come from the identity provider.',
  ReplayStatus:
    '`done` when all deliveries are pending again, although some may still wait to be sent.',
  Role: 'A role in a workspace. Each role includes the roles before it.',
  Sort: 'The field to sort by; a leading `-` sorts in descending order.',
  SubscribableKind:
    'An event, or a pattern: `template.*`, `module.*` and `webhook.*` match all events with this prefix, and `*` matches all events. Patterns also match events that are added later.',
  WebhookStatus:
    '`failing`: several attempts in a row have failed, and Galley makes fewer attempts. `disabled`: Galley makes no attempts and holds the deliveries.',
};

/** One of the values of a list, by the list's name. */
export const enumProperty = (name: EnumName) => ({ enum: [...enums[name]], enumName: name });

/** An array of such values. */
export const enumListProperty = (name: EnumName) =>
  ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } }) as const;

/** The lists, for the OpenAPI document. */
export const enumSchemas = Object.fromEntries(
  Object.entries(enums).map(([name, values]) => [
    name,
    { type: 'string' as const, enum: [...values], description: descriptions[name as EnumName] },
  ]),
);
