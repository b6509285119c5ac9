export {
  allKinds,
  event,
  eventPatterns,
  type DomainEvent,
  type EventCatalogue,
  type EventKind,
  type EventPattern,
} from './catalogue.js';
