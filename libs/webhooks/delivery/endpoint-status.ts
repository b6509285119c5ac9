export const endpointStatuses = ['active', 'failing', 'disabled'] as const;

/**
 * `failing`: several attempts in a row have failed, and attempts are made less often. `disabled`: no
 * attempts are made; the endpoint's events are held, and sent when it is enabled again.
 */
export type EndpointStatus = (typeof endpointStatuses)[number];
