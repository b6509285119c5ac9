import type { ApiKey, AuditAction, AuditEntry, Member, Webhook } from '#client';
import { describe, expect, it } from '@jest/globals';
import { describeAction, detailsOf, namesOfTargets } from './audit-words.js';

const entry = (
  action: AuditAction,
  details: AuditEntry['details'] = {},
  fields: Partial<AuditEntry> = {},
): AuditEntry => ({
  id: '1',
  occurredAt: '2026-11-24T12:00:00.000Z',
  actor: null,
  address: null,
  targetId: 'target',
  action,
  details,
  ...fields,
});

describe('the sentence of an entry', () => {
  it('names the target', () => {
    expect(describeAction(entry('member.invited'), 'li@example.com')).toBe(
      'Invited li@example.com',
    );
  });

  it('is the name of the action if the page does not know the action', () => {
    expect(describeAction(entry('key.paused' as AuditAction), 'A')).toBe('key.paused');
  });
});

describe('the details of an entry', () => {
  it.each([
    [
      'member.role_changed',
      { from: 'viewer', to: 'editor' },
      [{ label: 'Role', from: 'Viewer', to: 'Editor' }],
    ],
    ['workspace.renamed', { from: 'A', to: 'B' }, [{ label: 'Name', from: 'A', to: 'B' }]],
    ['member.invited', { role: 'admin', email: 'a@b.c' }, [{ label: 'Role', to: 'Admin' }]],
    [
      'key.created',
      { name: 'Key', role: 'viewer', expiresAt: null },
      [
        { label: 'Role', to: 'Viewer' },
        { label: 'Expires', to: 'never' },
      ],
    ],
    [
      'webhook.updated',
      {
        url: { from: 'https://a.example', to: 'https://b.example' },
        events: { from: ['*'], to: [] },
        ordered: { from: false, to: true },
        headers: 'changed',
      },
      [
        { label: 'URL', from: 'https://a.example', to: 'https://b.example' },
        { label: 'Events', from: '*', to: 'none' },
        { label: 'In order', from: 'no', to: 'yes' },
        { label: 'Headers', to: 'changed' },
      ],
    ],
    ['webhook.disabled', { by: 'operator', reason: 'Floods' }, [{ label: 'Reason', to: 'Floods' }]],
  ] as const)('of %s %j are %j', (action, details, expected) => {
    expect(detailsOf(entry(action, details), 'Key')).toEqual(expected);
  });
});

describe('the name or URL in the details of an entry', () => {
  const created = entry('webhook.created', { url: 'https://a.example' });

  it('is omitted if the sentence contains it', () => {
    expect(detailsOf(created, 'https://a.example')).toEqual([]);
    expect(detailsOf(created, 'a.example')).toEqual([]);
  });

  it('is shown if the target has been renamed', () => {
    const url = { label: 'URL', to: 'https://a.example' };
    expect(detailsOf(created, 'Campaign tool')).toEqual([url]);
  });
});

describe('the names of targets', () => {
  const nothing = { members: [], keys: [], webhooks: [] };

  it('come from the latest entry that contains a name', () => {
    const names = namesOfTargets(
      [
        entry('webhook.enabled'),
        entry('webhook.updated', { url: { from: 'https://a.example', to: 'https://b.example' } }),
        entry('webhook.created', { url: 'https://a.example' }),
      ],
      nothing,
    );
    expect(names.get('target')).toBe('https://b.example');
  });

  it('are never the names of roles', () => {
    const names = namesOfTargets(
      [entry('member.role_changed', { from: 'viewer', to: 'admin' })],
      nothing,
    );
    expect(names.has('target')).toBe(false);
  });

  it('are the current names of members', () => {
    const invited = entry('member.invited', { email: 'li@example.com' });
    const li = { userId: 'target', firstName: 'Li', lastName: 'Wei', email: '' } as Member;
    expect(namesOfTargets([invited], { ...nothing, members: [li] }).get('target')).toBe('Li Wei');
    const deleted = { ...li, firstName: '', lastName: '' };
    const names = namesOfTargets([invited], { ...nothing, members: [deleted] });
    expect(names.get('target')).toBe('li@example.com');
  });

  it('are the current names of API keys and webhooks', () => {
    const keys = [{ id: 'key', name: 'Campaign tool' } as ApiKey];
    const webhooks = [{ id: 'hook', url: 'https://a.example/b', description: '' } as Webhook];
    const names = namesOfTargets([entry('webhook.enabled')], { ...nothing, keys, webhooks });
    expect(names.get('key')).toBe('Campaign tool');
    expect(names.get('hook')).toBe('a.example/b');
  });
});
