import type { AttemptResult } from '#webhooks';

/** An attempt to which the receiver responded with 204. */
export const SUCCESSFUL_ATTEMPT: AttemptResult = {
  ok: true,
  statusCode: 204,
  stage: null,
  error: null,
  startedAt: new Date(),
  durationMs: 1,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: '',
};
