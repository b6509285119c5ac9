/** Returns a time in the hour in which all examples take place. */
export const timeAt = (minute: string) => `2026-11-21T09:${minute}:00.000Z`;
export const pageOf = (...data: object[]) => ({ data, nextCursor: null });
export const syncPageOf = (...data: object[]) => ({ ...pageOf(...data), syncCursor: null });
