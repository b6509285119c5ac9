export {
  event,
  eventKinds,
  type DomainEvent,
  type EventCatalogue,
  type EventKind,
} from './catalogue.js';
