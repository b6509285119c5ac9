export {
  allKinds,
  event,
  subscribableKinds,
  type DomainEvent,
  type EventCatalogue,
  type EventKind,
  type SubscribableKind,
} from './catalogue.js';
