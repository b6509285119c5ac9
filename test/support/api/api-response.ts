export interface ApiResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined when there is none. */
  body: Body;
  text: string;
}
