export const endpointStatuses = ['active', 'failing', 'disabled'] as const;

/**
 * - `failing`: at least five consecutive attempts have failed. Galley attempts deliveries less often until one
 *   succeeds.
 * - `disabled`: Galley attempts no deliveries, and holds them until the endpoint is enabled.
 */
export type EndpointStatus = (typeof endpointStatuses)[number];
