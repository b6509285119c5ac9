import type { ApiKey, AuditEntry, Member } from '#client';
import { describe, expect, it } from '@jest/globals';
import { actorOptions } from './audit-actors.js';

const member = (userId: string, firstName: string, status: Member['status'] = 'active') =>
  ({ userId, firstName, lastName: '', email: '', status }) as Member;
const entryBy = (actor: AuditEntry['actor']) => ({ actor }) as AuditEntry;

const current = {
  members: [member('ada-id', 'Ada'), member('guest-id', 'Guest', 'invited')],
  keys: [{ userId: 'key-id', name: 'Campaign tool' } as ApiKey],
};
const present = [
  { group: 'Members', items: [{ value: 'ada-id', label: 'Ada' }] },
  { group: 'API keys', items: [{ value: 'key-id', label: 'Campaign tool' }] },
];
const former = (value: string, label: string) => ({
  group: 'No longer in this workspace',
  items: [{ value, label }],
});

describe('the options of the actor filter', () => {
  it('are members and API keys, but not invited users', () => {
    const ada = { userId: 'ada-id', kind: 'person', email: '', name: 'Ada' } as const;
    expect(actorOptions(current, [entryBy(ada), entryBy(null)], undefined)).toEqual(present);
  });

  it.each([
    [{ kind: 'person', email: 'bob@example.com', name: 'Bob' }, 'Bob'],
    [{ kind: 'person', email: '', name: '' }, 'Deleted user …12345678'],
    [{ kind: 'key', email: '', name: 'Deployment' }, 'Deployment (API key)'],
  ] as const)('include former actors that appear in the entries: %j', (actor, label) => {
    const entries = [entryBy({ userId: 'id-12345678', ...actor })];
    expect(actorOptions(current, entries, 'id-12345678')).toEqual([
      ...present,
      former('id-12345678', label),
    ]);
  });

  it('include the selected actor even if the name is unknown', () => {
    expect(actorOptions({ members: [], keys: [] }, [], 'id-12345678')).toEqual([
      former('id-12345678', 'Unknown …12345678'),
    ]);
  });
});
