import { expect, it } from '@jest/globals';
import { readEmail } from '../email/email.js';
import { findIn } from '../findings.js';
import { variableRules } from './variables.js';

const VARIABLES = {
  type: 'object',
  properties: {
    user: { type: 'object', properties: { name: { type: 'string' } } },
    items: {
      type: 'array',
      items: { type: 'object', properties: { price: { type: 'number' } } },
    },
  },
};

/** The findings about a document that uses two variables. */
function findingsOf(document: object): string[] {
  const used = new Set(['user.name', 'items[].price']);
  const email = readEmail({ ...document }, { html: '', warnings: [], latestVersions: {}, used });
  const { findings } = findIn(email, variableRules, {});
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

it.each<object>([
  {},
  { sampleData: { user: 7 } },
  { variables: VARIABLES },
  { variables: { type: 'object' } },
  { variables: VARIABLES, sampleData: { user: { name: 'Ada' } } },
])('%j has no findings', (document) => {
  expect(findingsOf(document)).toEqual([]);
});

it('a declaration that is no schema has one finding', () => {
  expect(findingsOf({ variables: { type: 'object', required: 'user' }, sampleData: {} })).toEqual([
    'variables-invalid: /variables/required must be a list of names.',
  ]);
});

it('names variables that are not declared, and declared variables that are not used', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  expect(findingsOf({ variables: { type: 'object', properties } })).toEqual([
    'variable-undeclared: `variables` does not declare user.name, items[].price.',
    'variable-unused: The email does not use a, b, c, d, e and 2 more.',
  ]);
});

it('sample data that does not fit is named', () => {
  expect(findingsOf({ variables: VARIABLES, sampleData: { user: { name: 7 } } })).toEqual([
    'sample-data-invalid: The sample data does not fit `variables`: sampleData/user/name must be of the type string, not number.',
  ]);
});
