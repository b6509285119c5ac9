import { sorts } from '#database';
import { errorCodes, type ErrorCode } from '#errors';
import { allKinds, eventPatterns } from '#events';
import { auditActions, keyRoles, memberStatuses, roles } from '#identity';
import {
  attemptStages,
  deliveryStatuses,
  endpointStatuses,
  finishedStatuses,
  heldChoices,
  replayStatuses,
} from '#webhooks';

/** Lists of values that have a name in the document, so that generated clients have types for them. */
export const enums = {
  AttemptStage: attemptStages,
  AuditAction: auditActions,
  DeliveryStatus: deliveryStatuses,
  ErrorCode: Object.keys(errorCodes) as ErrorCode[],
  EventKind: allKinds,
  FinishedStatus: finishedStatuses,
  HeldChoice: heldChoices,
  KeyRole: keyRoles,
  MemberStatus: memberStatuses,
  ReplayStatus: replayStatuses,
  Role: roles,
  Sort: sorts,
  SubscribableKind: eventPatterns,
  WebhookStatus: endpointStatuses,
} as const;

export type EnumName = keyof typeof enums;

const descriptions: Record<EnumName, string> = {
  AttemptStage: `Where an attempt failed. \`event\`: the event is no longer kept. \`sign\`: the secret is not readable. \`dns\`: the name is unknown, or one of an address that is not public. \`connect\`: nobody accepted the connection. \`tls\`: the certificate is not valid, or TLS too old. \`send\`: the connection broke while the request was sent. \`first-byte\`: no answer in time, or none that is HTTP. \`status\`: the answer was not 2xx.`,
  AuditAction: 'What was done.',
  DeliveryStatus:
    '`pending`: still to be sent, or sent again. `held`: the same while the webhook is disabled. The others are over: answered with 2xx, given up, or cancelled.',
  ErrorCode:
    'What went wrong, for programs. A code never changes its meaning; more may be added. Treat an unknown code by its status.',
  EventKind: 'What happened.',
  FinishedStatus: 'The status of a delivery that is over.',
  HeldChoice: 'What becomes of what was held while a webhook was disabled.',
  KeyRole: 'What an API key may do in its workspace; each may do all that the ones before it may.',
  MemberStatus:
    '`invited` until the address has signed in for the first time; `deactivated` and `deleted` as the identity provider says.',
  ReplayStatus: '`done` when all have been put in again, though some may still wait.',
  Role: 'What somebody may do in a workspace; each may do all that the ones before it may.',
  Sort: 'By which field; with `-` before it descending.',
  SubscribableKind:
    'An event, or a pattern: `template.*`, `module.*` and `webhook.*` match all events that begin so, `*` matches all. Patterns also match events that are added later.',
  WebhookStatus:
    '`failing`: several attempts in a row have failed, and it is tried less often. `disabled`: not tried at all; its events are held.',
};

/** One of the values, by the name of their list. */
export const oneOf = (name: EnumName) => ({ enum: [...enums[name]], enumName: name });

/** A list of such values. */
export const listOf = (name: EnumName) =>
  ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } }) as const;

/** The lists, for the document. */
export const enumSchemas = Object.fromEntries(
  Object.entries(enums).map(([name, values]) => [
    name,
    { type: 'string' as const, enum: [...values], description: descriptions[name as EnumName] },
  ]),
);
