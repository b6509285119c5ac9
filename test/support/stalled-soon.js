// Loaded before the API: a client may read nothing of a response for 4 instead of 15 seconds.
import { RESPONSE_BOUNDS } from '../../dist/apps/api/responses/bound-responses.js';

RESPONSE_BOUNDS.stalledMs = 4_000;
