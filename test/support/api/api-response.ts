export interface ApiResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if the response has no body. */
  body: Body;
  text: string;
}

/**
 * Repeats a request until the API no longer refuses it with 429. On a busy machine, a request may wait too
 * long behind other requests of its caller. No pause is needed here, because each request waits in the API.
 */
export async function untilAdmitted<Body>(
  send: () => Promise<ApiResponse<Body>>,
): Promise<ApiResponse<Body>> {
  for (;;) {
    const response = await send();
    if (response.status !== 429) return response;
  }
}
