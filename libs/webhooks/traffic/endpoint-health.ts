export const endpointHealths = ['healthy', 'unproven', 'failing'] as const;

/**
 * How well an endpoint has responded lately. The health decides the endpoint's share of a worker's slots.
 *
 * - `healthy`: the window is above 1, and the circuit breaker has not opened since the last success.
 * - `unproven`: the window is 1, and no attempt has failed since the last success. The endpoint is new, or a local
 *   problem of a worker has reset its window.
 * - `failing`: every other endpoint. An attempt has failed since the last success. The status of an endpoint, in
 *   contrast, becomes `failing` only after five consecutive failures.
 *
 * Jobs in the queue contain these values, so after a rename, workers must still understand the old values.
 */
export type EndpointHealth = (typeof endpointHealths)[number];

/** The content of a job in the queue: an endpoint with due deliveries. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  health: EndpointHealth;
}

/**
 * An SQL expression for the health of an endpoint. The window starts at 1 and grows only with successes. So a window
 * above 1 shows that attempts have succeeded.
 */
export const selectHealth = ({ opened, windowSize, failures }: TrafficColumns): string =>
  `CASE WHEN ${opened} = 0 AND ${windowSize} > 1 THEN 'healthy'
    WHEN ${failures} = 0 AND ${opened} = 0 THEN 'unproven' ELSE 'failing' END`;

/** Each value is an SQL expression. */
interface TrafficColumns {
  opened: string;
  windowSize: string;
  failures: string;
}

export const selectTrafficHealth = (traffic: string): string =>
  selectHealth({
    opened: `${traffic}.opened`,
    windowSize: `${traffic}.window_size`,
    failures: `${traffic}.failures`,
  });
