/**
 * How an endpoint has responded lately. The health decides the endpoint's share of a worker's slots:
 * `healthy` endpoints have succeeded and their circuit breaker is closed, `unproven` ones have not been
 * tried yet, `failing` ones have failed since their last success.
 */
export type EndpointHealth = 'healthy' | 'unproven' | 'failing';

/** An endpoint that has due deliveries, as it is in the queue. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  health: EndpointHealth;
}

/**
 * SQL: the health of an endpoint from its traffic. The window starts at 1, grows with each success and
 * never shrinks below 1.
 */
export const healthOf = ({ opened, windowSize, failures }: TrafficColumns): string =>
  `CASE WHEN ${opened} = 0 AND ${windowSize} > 1 THEN 'healthy'
    WHEN ${failures} = 0 AND ${opened} = 0 THEN 'unproven' ELSE 'failing' END`;

/** SQL expressions. */
interface TrafficColumns {
  opened: string;
  windowSize: string;
  failures: string;
}

export const healthOfTraffic = (traffic: string): string =>
  healthOf({
    opened: `${traffic}.opened`,
    windowSize: `${traffic}.window_size`,
    failures: `${traffic}.failures`,
  });
