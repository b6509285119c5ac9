import { describe, expect, it } from '@jest/globals';
import { auditActions, parseAuditSearch, toAuditFilter } from './audit-search.js';
import { words } from './texts.js';

describe('the filters in the URL', () => {
  it('are parsed, and invalid values are dropped', () => {
    const search = { action: 'key.created', actorId: 'a', period: '7d', other: 1 };
    expect(parseAuditSearch(search)).toEqual({ action: 'key.created', actorId: 'a', period: '7d' });
    expect(parseAuditSearch({ action: 'key.used', actorId: 7, period: 'toString' })).toEqual({});
  });

  it('have exactly one group for each action', () => {
    const prefixes = words.filters.actionGroups.flatMap((group) => group.prefixes);
    for (const action of auditActions) {
      expect(prefixes.filter((prefix) => action.startsWith(prefix))).toHaveLength(1);
    }
  });

  it('become an API query with the start time of the period', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    expect(toAuditFilter({ actorId: 'a' }, now)).toEqual({ actorId: 'a' });
    expect(toAuditFilter({ period: '24h' }, now)).toEqual({ since: '2026-11-23T12:00:00.000Z' });
  });
});
