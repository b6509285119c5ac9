export interface ApiResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if there is none. */
  body: Body;
  text: string;
}
