interface TemplateEvent {
  id: string;
  name: string;
  workspaceId: string;
  version: number;
}

interface ModuleEvent {
  id: string;
  name: string;
  workspaceId: string;
  category: string;
}

/** Every kind of event and the `data` that its notification carries. */
interface EventCatalogue {
  'template.created': TemplateEvent;
  'template.updated': TemplateEvent;
  'template.deleted': TemplateEvent;
  'template.duplicated': TemplateEvent & { sourceId: string };
  'module.created': ModuleEvent;
  'module.updated': ModuleEvent;
  'module.deleted': ModuleEvent;
}

export type EventKind = keyof EventCatalogue;

// A record, so that a kind that is missing here does not compile.
const kinds: Record<EventKind, true> = {
  'template.created': true,
  'template.updated': true,
  'template.deleted': true,
  'template.duplicated': true,
  'module.created': true,
  'module.updated': true,
  'module.deleted': true,
};

export const eventKinds = Object.keys(kinds) as EventKind[];

/** Something that happened to the resource `data.id` of the workspace `data.workspaceId`. */
export interface DomainEvent<Kind extends EventKind = EventKind> {
  readonly kind: Kind;
  readonly data: EventCatalogue[Kind];
}

export function event<Kind extends EventKind>(
  kind: Kind,
  data: EventCatalogue[Kind],
): DomainEvent<Kind> {
  return { kind, data };
}
