export { event, eventKinds, type DomainEvent, type EventKind } from './catalogue.js';
