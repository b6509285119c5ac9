export const endpointStatuses = ['active', 'failing', 'disabled'] as const;

/**
 * `failing`: several attempts in a row have failed, and Galley makes attempts less often. `disabled`:
 * Galley makes no attempts. The endpoint's deliveries are held until it is enabled.
 */
export type EndpointStatus = (typeof endpointStatuses)[number];
