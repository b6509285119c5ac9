// The API loads this file first. Then a client may read nothing of a response for 4 instead of 15 seconds.
import { UNREAD_RESPONSE_LIMITS } from '../../../dist/apps/api/responses/unread-responses.js';

UNREAD_RESPONSE_LIMITS.stallTimeoutMs = 4_000;
