import { pictureTypes } from '#assets';
import { documentKinds, expandProblems, restoredModules, sortOrders, tagMatches } from '#documents';
import { changeTypes, matchReasons } from '#json';
import { errorCodes, type ErrorCode } from '#errors';
import { eventKinds, eventPatterns } from '#events';
import { auditActions, checkLevels, keyRoles, memberStatuses, roles } from '#workspaces';
import { longJobStatuses } from '#long-jobs';
import {
  fileFormats,
  importFormats,
  importOutcomes,
  mailClients,
  renderFormats,
  ruleNames,
  severities,
} from '#rendering';
import { publicationStatuses } from '#publishing';
import {
  attemptStages,
  deliveryStatuses,
  endpointHealths,
  endpointStatuses,
  finishedStatuses,
  heldDeliveriesActions,
  pauseReasons,
  statisticsSteps,
} from '#webhooks';

/** Each enumeration has a name in the OpenAPI document, so that generated clients get a type for it. */
export const enums = {
  AttemptStage: attemptStages,
  AuditAction: auditActions,
  ChangeType: changeTypes,
  CheckLevel: checkLevels,
  CheckRule: ruleNames,
  CheckSeverity: severities,
  DeliveryStatus: deliveryStatuses,
  DocumentKind: documentKinds,
  ErrorCode: Object.keys(errorCodes) as ErrorCode[],
  EventKind: eventKinds,
  ExpandProblem: expandProblems,
  FinishedStatus: finishedStatuses,
  HeldChoice: heldDeliveriesActions,
  ImportFormat: importFormats,
  ImportOutcome: importOutcomes,
  KeyRole: keyRoles,
  MailClient: mailClients,
  MatchReason: matchReasons,
  MemberStatus: memberStatuses,
  PauseReason: pauseReasons,
  PictureType: pictureTypes,
  PublicationStatus: publicationStatuses,
  RenderFormat: renderFormats,
  ReplayStatus: longJobStatuses,
  RestoredModules: restoredModules,
  Role: roles,
  Sort: sortOrders,
  StatisticsStep: statisticsSteps,
  SubscribableKind: eventPatterns,
  TagMatch: tagMatches,
  TranslationFormat: fileFormats,
  UsageUpdateStatus: longJobStatuses,
  WebhookHealth: endpointHealths,
  WebhookStatus: endpointStatuses,
} as const;

export type EnumName = keyof typeof enums;

const descriptions: Record<EnumName, string> = {
  AttemptStage: `Where an attempt failed. \`event\`: Galley no longer keeps the event. \`sign\`: Galley cannot read the secret of the webhook. \`dns\`: the host has no IP address, or its IP addresses are neither public nor allowed by the operator of Galley. \`connect\`: the host did not accept a connection. \`tls\`: the certificate of the host is not valid, or the host does not support TLS 1.2 or later. \`send\`: the connection broke while Galley sent the request. \`first-byte\`: the receiver sent no response in time, or a response that is not HTTP. \`status\`: the status of the response was not 2xx.`,
  AuditAction: 'The kind of change.',
  ChangeType:
    '`added`: the node is new, with everything inside it. `removed`: the node is gone, with everything inside it. `moved`: the node is in another array, or in another place in the order of its array; a node whose index differs only because of other changes is not moved. `changed`: fields of the node differ. A node can be both moved and changed, and then has two entries.',
  CheckLevel:
    'The severity that a workspace gives to the findings of a rule. `off`: the workspace does not use the rule.',
  CheckRule: 'The rule that produced the finding. The guide "Check templates" describes each rule.',
  CheckSeverity:
    'How much a finding matters. `error`: something in the email does not work. `warning`: something does not work for some readers. `info`: something could be better.',
  DeliveryStatus:
    '`pending`: the delivery waits for its first or its next attempt. `held`: the delivery waits until the webhook is enabled. `delivered`: the receiver responded with 2xx. `failed`: Galley makes no more attempts. `cancelled`: somebody cancelled the delivery.',
  DocumentKind: 'Whether the item is a template or a module.',
  ErrorCode:
    'The kind of error, for programs. A code never changes its meaning, but Galley may add codes. If your program does not know a code, it can handle the error by its status.',
  EventKind: 'What happened.',
  ExpandProblem:
    'Why a reference was replaced by an empty node. `not_found`: the module or the version does not exist, or you cannot read it. `wrong_kind`: the type of the module has changed since the reference was added, so the module does not fit where the reference is. `too_deep`: modules are nested more than five deep. `too_large`: the document would be larger than the limit, or uses more than 1,000 modules.',
  FinishedStatus: 'The status of a finished delivery.',
  HeldChoice: 'What to do with deliveries that were held while the webhook was disabled.',
  ImportFormat:
    'A format of another program. `mjml` and `html` are text. `easy-email` is a template of easy-email-editor, `email-builder` a document of @usewaypoint/email-builder, `unlayer` a design of Unlayer, `beefree` a template of Beefree, `templatical` a template of Templatical, and `grapesjs-mjml` a project of GrapesJS with the MJML preset.',
  ImportOutcome:
    'What happened to a part of the content. `kept-as-html`: the part is an `html` block, which shows the part but has no properties to edit. `approximated`: the part looks different. `lost`: the part is not in the document.',
  KeyRole:
    'The role of an API key in its workspace. Each role has all permissions of the roles listed before it.',
  MailClient:
    'A mail client as which the HTML is shown, approximately: with what the client removes, and with its rules. `gmail-app` is the app of Gmail with an account of another provider. `apple-mail-dark` is Apple Mail in dark mode. `without-images` is any client that shows no images. Not for sending: the HTML is changed.',
  MatchReason:
    'How Galley determined that two nodes are the same. `id`: both have the same `id`, and no other node in their documents has this `id`. `content`: both have equal content. `place`: both have the same `type` and the same place among the nodes that were not matched otherwise; the whole document is matched by place as well.',
  MemberStatus:
    '`active`: the user can use the workspace. `invited`: nobody has signed in with the email address yet. `deactivated` and `deleted`: the identity provider has deactivated or deleted the user.',
  PauseReason:
    '`circuit-breaker`: five or more consecutive attempts have failed. `retry-after`: the receiver asked for the pause with its `Retry-After` header.',
  PictureType: 'The media type of a picture.',
  PublicationStatus:
    '`scheduled`: Galley will publish the version. `published`: the version was published. `unpublished`: the template was unpublished.',
  RenderFormat:
    'What to return. `html`: the HTML of the email. `text`: plain text. `mjml`: the MJML from which Galley generated the HTML. `all`: all three.',
  ReplayStatus:
    '`running`: the replay is still creating deliveries. `done`: the replay has created all its deliveries. Some of the deliveries may still be pending. `cancelled`: somebody cancelled the replay.',
  RestoredModules: 'The modules that a restored document uses.',
  Role: 'A role in a workspace. Each role has all permissions of the roles listed before it.',
  Sort: 'The field to sort by; a leading `-` sorts in descending order.',
  StatisticsStep:
    'The length of a step of the statistics: 5 or 15 minutes, 1 or 6 hours, or 1 day.',
  SubscribableKind:
    'A kind of event, or a pattern: `template.*`, `module.*` and `webhook.*` match all kinds with this prefix, and `*` matches all kinds. A pattern also matches kinds that Galley adds later.',
  TranslationFormat:
    'The format of a file for translators: XLIFF 2.0, or CSV with the columns `id`, `source` and `text`.',
  TagMatch: '`all`: all of the tags. `any`: at least one of the tags.',
  UsageUpdateStatus:
    '`running`: the update is still changing templates. `done`: the update has tried all templates. `cancelled`: somebody cancelled the update.',
  WebhookHealth:
    '`healthy`: attempts succeed. `unproven`: no attempt has ended since the webhook was created or enabled, or a problem in Galley has interrupted the attempts. `failing`: the last attempts have failed.',
  WebhookStatus:
    '`active`: Galley sends notifications. `failing`: several consecutive attempts have failed, and Galley makes fewer attempts. `disabled`: Galley makes no attempts and holds the deliveries.',
};

/** The schema for one value of an enumeration. */
export const enumProperty = (name: EnumName) => ({ enum: [...enums[name]], enumName: name });

/** The schema for an array of values of an enumeration. */
export const enumListProperty = (name: EnumName) =>
  ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } }) as const;

export const enumSchemas = Object.fromEntries(
  Object.entries(enums).map(([name, values]) => [
    name,
    { type: 'string' as const, enum: [...values], description: descriptions[name as EnumName] },
  ]),
);
