import type { AuditAction, ListAuditEntriesData } from '#client';
import { words } from './texts.js';

const DAY_MS = 86_400_000;
const PERIODS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;
export type AuditPeriod = keyof typeof PERIODS;
export const auditPeriods = Object.keys(PERIODS) as AuditPeriod[];
export const auditActions = Object.keys(words.actions) as AuditAction[];

/** The filters of the audit log, as they appear in the URL. */
export interface AuditSearch {
  action?: AuditAction;
  actorId?: string;
  period?: AuditPeriod;
}

/** Drops invalid values, because users may edit the URL by hand. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const action = auditActions.find((each) => each === search['action']);
  const period = auditPeriods.find((each) => each === search['period']);
  const { actorId } = search;
  return {
    ...(action && { action }),
    ...(typeof actorId === 'string' && actorId !== '' && { actorId }),
    ...(period && { period }),
  };
}

export type AuditFilter = Pick<
  NonNullable<ListAuditEntriesData['query']>,
  'action' | 'actorId' | 'since'
>;

/** Builds the API query. A relative period becomes a fixed start time before `now`. */
export function toAuditFilter({ period, ...filter }: AuditSearch, now: number): AuditFilter {
  if (period === undefined) return filter;
  return { ...filter, since: new Date(now - PERIODS[period]).toISOString() };
}
