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

/** What befell a webhook endpoint, for those who run the receivers. */
interface EndpointEventData {
  id: string;
  workspaceId: string;
  description: string;
  status: string;
  /** In plain words. */
  reason: string;
}

/** Every kind of event and the `data` that its notification carries. */
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

/** What a subscriber can choose from: a test comes to whoever asked for it. */
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
 * A kind, every kind that begins so, or every kind there is. A pattern also matches kinds that are
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
  /** The how-manyeth event of its resource this is, from 1 and without gaps. */
  readonly sequence: number;
  /** If the caller has to know it; else it gets one with its row. */
  readonly id?: string;
  /** For this endpoint alone; without it for all that want it. */
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
