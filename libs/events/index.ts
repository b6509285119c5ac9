/*
 * The catalogue of events: each kind and the `data` of its notification. To store events is the task of
 * `libs/database`, and to deliver them that of `libs/webhooks`.
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
