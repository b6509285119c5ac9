export { event, subscribableKinds, type DomainEvent, type SubscribableKind } from './catalogue.js';
