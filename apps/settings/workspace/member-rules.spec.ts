import { describe, expect, it } from '@jest/globals';
import { mayManage, nameOfMember, rolesToGive } from './member-rules.js';

const owner = { role: 'owner', status: 'active' } as const;
const blockedOwner = { role: 'owner', status: 'deactivated' } as const;
const editor = { role: 'editor', status: 'active' } as const;

describe('the roles that a user may assign', () => {
  it.each([
    ['viewer', [owner], []],
    ['editor', [owner], []],
    ['admin', [owner], ['viewer', 'editor', 'admin']],
    ['admin', [blockedOwner], ['viewer', 'editor', 'admin', 'owner']],
    ['owner', [owner], ['viewer', 'editor', 'admin', 'owner']],
  ] as const)('for the role %s among the members %j are %j', (role, members, expected) => {
    expect(rolesToGive(role, members)).toEqual(expected);
  });
});

it.each([
  ['editor', editor, false],
  ['admin', editor, true],
  ['admin', owner, false],
  ['owner', owner, true],
] as const)('%s may manage %j: %s', (role, member, expected) => {
  expect(mayManage(role, [owner, editor], member)).toBe(expected);
});

it('an admin may manage owners if no owner is active', () => {
  expect(mayManage('admin', [blockedOwner], blockedOwner)).toBe(true);
});

it.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['', 'Lovelace', 'Lovelace'],
  ['', '', 'ada@example.com'],
])('a member with the names %j and %j is called %s', (firstName, lastName, expected) => {
  const member = { userId: '1', email: 'ada@example.com', firstName, lastName };
  expect(nameOfMember(member)).toBe(expected);
});
