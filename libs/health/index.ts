export { Readiness, type Check } from './readiness.js';
