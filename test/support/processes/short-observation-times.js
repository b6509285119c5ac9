// A program loads this file first. Then it measures the backlog every quarter of a second instead of every ten
// seconds.
import { OBSERVATION_TIMES } from '../../../dist/libs/fleet-observer/fleet-observer.js';

OBSERVATION_TIMES.intervalMs = 250;
OBSERVATION_TIMES.leaseSeconds = 2;
