import { expect, it } from '@jest/globals';
import { readEmail } from './email/email.js';
import { findIn, type Levels } from './findings.js';
import type { Severity } from './rule.js';

const email = readEmail({}, { html: '', warnings: [], latestVersions: {} });

/** A rule with one finding at each of the paths. */
const rule = (name: string, severity: Severity, ...found: [path: string, message: string][]) => ({
  name,
  severity,
  help: `Help for ${name}.`,
  find: () => found.map(([path, message]) => ({ place: { node: { id: path }, path }, message })),
});
const many = (count: number) =>
  Array.from({ length: count }, (_, index): [string, string] => [`/${index}`, 'Much.']);

const rules = [
  rule('small', 'info', ['/1', 'Small.']),
  rule('great', 'error', ['/2', 'Great.'], ['/3', 'Great.']),
  rule('medium', 'warning', ['/4', 'Medium.']),
];
const namesWith = (levels: Levels) =>
  findIn(email, rules, levels).findings.map(({ rule: name, severity }) => [name, severity]);

it('errors come first, then warnings', () => {
  expect(findIn(email, rules, {})).toEqual({
    findings: [
      {
        rule: 'great',
        severity: 'error',
        nodeId: '/2',
        path: '/2',
        message: 'Great.',
        help: 'Help for great.',
      },
      expect.objectContaining({ rule: 'great', path: '/3' }),
      expect.objectContaining({ rule: 'medium', severity: 'warning' }),
      expect.objectContaining({ rule: 'small', severity: 'info' }),
    ],
    counts: { error: 2, warning: 1, info: 1 },
  });
});

it('a level changes the severity of a rule, or turns the rule off', () => {
  expect(namesWith({ great: 'info', small: 'error', medium: 'off' })).toEqual([
    ['small', 'error'],
    ['great', 'info'],
    ['great', 'info'],
  ]);
});

it('consecutive equal findings at one place count as one', () => {
  const repeated = rule('a', 'info', ['/1', 'A.'], ['/1', 'A.'], ['/1', 'B.'], ['/2', 'B.']);
  const { findings, counts } = findIn(email, [repeated, rule('b', 'info', ['/2', 'B.'])], {});
  expect(findings.map(({ path, message }) => path + message)).toEqual([
    '/1A.',
    '/1B.',
    '/2B.',
    '/2B.',
  ]);
  expect(counts.info).toBe(4);
});

it('the first 200 findings are listed, and all are counted', () => {
  const { findings, counts } = findIn(
    email,
    [rule('a', 'info', ...many(300)), rule('b', 'error', ...many(150))],
    {},
  );
  expect(findings.map(({ severity }) => severity)).toEqual(
    Array<string>(150).fill('error').concat(Array<string>(50).fill('info')),
  );
  expect(counts).toEqual({ error: 150, warning: 0, info: 300 });
});
