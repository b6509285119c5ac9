export const endpointHealths = ['healthy', 'unproven', 'failing'] as const;

/**
 * How well an endpoint has responded lately. The health decides the endpoint's share of a worker's slots. `healthy`
 * endpoints have a window above 1, and their circuit breaker has not opened since their last success. `unproven`
 * endpoints have a window of 1 and no failure: they are new, or a local problem of a worker has reset their window. All
 * other endpoints are `failing`: they have failed since their last success. The endpoint's status becomes `failing`
 * only after five failures in a row. Jobs in the queue contain these values, so after a rename the old values must
 * still be understood.
 */
export type EndpointHealth = (typeof endpointHealths)[number];

/** An endpoint with due deliveries, as the queue holds it. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  health: EndpointHealth;
}

/**
 * SQL: the health of an endpoint from its traffic. The window starts at 1, grows with each success and never
 * shrinks below 1. So a larger window shows that attempts have succeeded.
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
