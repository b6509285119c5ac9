// A program loads this file first. Then its shutdown may take 4 instead of 28 seconds.
import { SHUTDOWN_TIMES } from '../../../dist/libs/shutdown/end-in-time.js';

SHUTDOWN_TIMES.maxMs = 4_000;
