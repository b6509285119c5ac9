import type { DeliveryStatus, EventKind, ListDeliveriesData } from '#client';
import { eventKinds } from '../../api/values.js';

export const deliveryStatuses: readonly DeliveryStatus[] = [
  'pending',
  'held',
  'delivered',
  'failed',
  'cancelled',
];

const HOUR_MS = 3_600_000;
const PERIODS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
export type Period = keyof typeof PERIODS | 'custom';
export const periods: readonly Period[] = ['1h', '24h', '7d', 'custom'];

/** The filters of the list, as they appear in the URL. */
export interface DeliverySearch {
  status?: DeliveryStatus;
  event?: EventKind;
  resourceId?: string;
  period?: Period;
  /** Set only if `period` is `custom`. */
  since?: string;
  /** Set only if `period` is `custom`. */
  until?: string;
}

export type DeliveryFilter = Omit<
  NonNullable<ListDeliveriesData['query']>,
  'workspaceId' | 'limit' | 'cursor'
>;

/** Drops invalid values, because users may edit the URL by hand. */
export function parseDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const status = deliveryStatuses.find((each) => each === search['status']);
  const event = eventKinds.find((each) => each === search['event']);
  const period = periods.find((each) => each === search['period']);
  const resourceId = textOf(search['resourceId']);
  const since = period === 'custom' ? timeOf(search['since']) : undefined;
  const until = period === 'custom' ? timeOf(search['until']) : undefined;
  return {
    ...(status && { status }),
    ...(event && { event }),
    ...(resourceId && { resourceId }),
    ...(period && { period }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

/** Builds the API query. A relative period becomes a fixed start time: `1h` starts one hour before `now`. */
export function toFilter({ period, ...filter }: DeliverySearch, now: number): DeliveryFilter {
  if (period === undefined || period === 'custom') return filter;
  return { ...filter, since: new Date(now - PERIODS[period]).toISOString() };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const timeOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
};
