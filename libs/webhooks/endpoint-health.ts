/**
 * How an endpoint has responded lately, which decides its share of a worker's slots:
 * `healthy` endpoints have succeeded and their circuit breaker is closed, `unproven` ones have not
 * been tried yet, `failing` ones have failed since their last success.
 */
export type EndpointHealth = 'healthy' | 'unproven' | 'failing';

/** An endpoint that has deliveries to claim, as the queue carries it. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  health: EndpointHealth;
}

/** SQL of the health of a flow. Its window starts at 1, grows with each success and never shrinks below 1. */
export const healthOf = ({ opened, windowSize, failures }: FlowColumns): string =>
  `CASE WHEN ${opened} = 0 AND ${windowSize} > 1 THEN 'healthy'
    WHEN ${failures} = 0 AND ${opened} = 0 THEN 'unproven' ELSE 'failing' END`;

/** The SQL expressions of a flow's state. */
interface FlowColumns {
  opened: string;
  windowSize: string;
  failures: string;
}

export const healthOfFlow = (flow: string): string =>
  healthOf({
    opened: `${flow}.opened`,
    windowSize: `${flow}.window_size`,
    failures: `${flow}.failures`,
  });
