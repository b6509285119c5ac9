/*
 * The catalogue of events: each kind and the `data` of its notification. `libs/database` stores events, and
 * `libs/webhooks` delivers them.
 */
export {
  eventKinds,
  createEvent,
  eventPatterns,
  type DomainEvent,
  type EventCatalogue,
  type EventKind,
  type EventPattern,
} from './catalogue.js';
