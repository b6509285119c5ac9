import type { Delivery, DeliveryStatus } from '#client';

/** The API has no status `retrying`: such a delivery is `pending`. */
export type ShownStatus = DeliveryStatus | 'retrying';

/** The status that the page shows. A pending delivery whose last attempt failed is being retried. */
export const shownStatusOf = ({
  status,
  lastAttempt,
}: Pick<Delivery, 'status' | 'lastAttempt'>): ShownStatus =>
  status === 'pending' && lastAttempt !== null && lastAttempt.stage !== null ? 'retrying' : status;
