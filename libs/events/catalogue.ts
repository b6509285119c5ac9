interface TemplateEventData {
  id: string;
  name: string;
  workspaceId: string;
  externalId: string | null;
  version: number;
}

interface ModuleEventData {
  id: string;
  name: string;
  workspaceId: string;
  externalId: string | null;
  category: string;
  version: number;
}

/** `name` and `version` belong to the version that was published or unpublished. */
interface PublicationEventData extends TemplateEventData {
  environment: string;
}

/** Tells the operators of a receiver that the status of their endpoint has changed. */
interface EndpointEventData {
  id: string;
  workspaceId: string;
  description: string;
  status: string;
  /** Why the status has changed, in plain words. */
  reason: string;
}

/**
 * Every kind of event and the `data` of its notification. In the event feed, only admins see the data of kinds that
 * begin with `webhook.`.
 */
export interface EventCatalogue {
  'template.created': TemplateEventData;
  'template.updated': TemplateEventData;
  'template.deleted': TemplateEventData;
  'template.duplicated': TemplateEventData & { sourceId: string };
  'template.restored': TemplateEventData;
  'template.published': PublicationEventData;
  'template.unpublished': PublicationEventData;
  'module.created': ModuleEventData;
  'module.updated': ModuleEventData;
  'module.deleted': ModuleEventData;
  'module.restored': ModuleEventData;
  'webhook.failing': EndpointEventData;
  'webhook.disabled': EndpointEventData;
  'webhook.active': EndpointEventData;
  'webhook.test': Pick<EndpointEventData, 'id' | 'workspaceId' | 'description'>;
}

export type EventKind = keyof EventCatalogue;

/**
 * The kinds that a subscriber can choose. `webhook.test` is left out: Galley sends a test event only to the endpoint
 * that the caller tests.
 */
type SubscribableKind = Exclude<EventKind, 'webhook.test'>;

// With a record, a missing kind is a compile error.
const isSubscribable: Record<SubscribableKind, true> = {
  'template.created': true,
  'template.updated': true,
  'template.deleted': true,
  'template.duplicated': true,
  'template.restored': true,
  'template.published': true,
  'template.unpublished': true,
  'module.created': true,
  'module.updated': true,
  'module.deleted': true,
  'module.restored': true,
  'webhook.failing': true,
  'webhook.disabled': true,
  'webhook.active': true,
};

const subscribableKinds = Object.keys(isSubscribable) as SubscribableKind[];

/**
 * A kind, all kinds with a prefix (`template.*`), or all kinds (`*`). A pattern also matches kinds that a later release
 * adds, so Galley stores the pattern itself and not the kinds that it matches.
 */
export const eventPatterns = [
  ...subscribableKinds,
  'template.*',
  'module.*',
  'webhook.*',
  '*',
] as const;
export type EventPattern = (typeof eventPatterns)[number];

export const eventKinds: readonly EventKind[] = [...subscribableKinds, 'webhook.test'];

/** Something that happened to the resource `data.id` of the workspace `data.workspaceId`. */
export interface DomainEvent<Kind extends EventKind = EventKind> {
  readonly kind: Kind;
  /** Position of the event in its resource's sequence, from 1 and without gaps. */
  readonly sequence: number;
  /** Set if the code that creates the event needs to know the id. Otherwise, the outbox row gets a new id. */
  readonly id?: string;
  /** The only endpoint that gets the event; undefined if all matching endpoints get it. */
  readonly endpointId?: string;
  readonly data: EventCatalogue[Kind];
}

export function createEvent<Kind extends EventKind>(
  kind: Kind,
  sequence: number,
  data: EventCatalogue[Kind],
): DomainEvent<Kind> {
  return { kind, sequence, data };
}
