interface TemplateEventData {
  id: string;
  name: string;
  workspaceId: string;
  version: number;
}

interface ModuleEventData {
  id: string;
  name: string;
  workspaceId: string;
  category: string;
}

/** A change of an endpoint's status, for the operators of receivers. */
interface EndpointEventData {
  id: string;
  workspaceId: string;
  description: string;
  status: string;
  /** In plain words. */
  reason: string;
}

/** Every kind of event and the `data` of its notification. */
export interface EventCatalogue {
  'template.created': TemplateEventData;
  'template.updated': TemplateEventData;
  'template.deleted': TemplateEventData;
  'template.duplicated': TemplateEventData & { sourceId: string };
  'module.created': ModuleEventData;
  'module.updated': ModuleEventData;
  'module.deleted': ModuleEventData;
  'webhook.failing': EndpointEventData;
  'webhook.disabled': EndpointEventData;
  'webhook.active': EndpointEventData;
  'webhook.test': Pick<EndpointEventData, 'id' | 'workspaceId' | 'description'>;
}

export type EventKind = keyof EventCatalogue;

/**
 * The kinds that a subscriber can choose. Tests are left out: they are sent to the endpoint that the test
 * is for.
 */
type SubscribableKind = Exclude<EventKind, 'webhook.test'>;

// A record, so that a kind that is missing here does not compile.
const isSubscribable: Record<SubscribableKind, true> = {
  'template.created': true,
  'template.updated': true,
  'template.deleted': true,
  'template.duplicated': true,
  'module.created': true,
  'module.updated': true,
  'module.deleted': true,
  'webhook.failing': true,
  'webhook.disabled': true,
  'webhook.active': true,
};

const subscribableKinds = Object.keys(isSubscribable) as SubscribableKind[];

/**
 * A kind, all kinds with a prefix (`template.*`), or all kinds (`*`). A pattern also matches kinds that are
 * added later, so it is stored and matched as it was given.
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
  /** Given if the caller needs to know the id; otherwise the row gets one. */
  readonly id?: string;
  /** For this endpoint only; undefined for all matching endpoints. */
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
