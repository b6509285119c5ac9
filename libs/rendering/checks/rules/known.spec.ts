import { expect, it } from '@jest/globals';
import { readEmail } from '../email/email.js';
import { findIn } from '../findings.js';
import { rules, type RuleName } from '../rules.js';

type Known = Partial<Parameters<typeof readEmail>[1]>;

const text = { type: 'text', props: { content: 'A' } };
const emailOf = (...blocks: object[]) => ({ stripes: [{ containers: [{ blocks }] }] });

/** The messages of one rule about a document, given the HTML, the warnings or the latest versions of modules. */
function messagesOf(name: RuleName, document: Record<string, unknown>, known: Known): string[] {
  const email = readEmail(document, { html: '', warnings: [], latestVersions: {}, ...known });
  const tested = rules.filter((rule) => rule.name === name);
  return findIn(email, tested, {}).findings.map(({ message }) => message);
}

it.each<[module: object, messages: string[]]>([
  [{ version: 2 }, ['Version 2 of the module Footer is pinned, but the latest version is 3.']],
  [{ version: 2, name: 7 }, ['Version 2 of the module m is pinned, but the latest version is 3.']],
  [
    { version: 1, name: 'a'.repeat(101) },
    [`Version 1 of the module ${'a'.repeat(100)} is pinned, but the latest version is 3.`],
  ],
  [{ version: 3 }, []],
  [{ version: 4 }, []],
  [{ version: '2' }, []],
  [{ version: 2, pinned: 'true' }, []],
  [{ version: 2, id: 7 }, []],
  [{ version: 2, id: 'toString' }, []],
])('module-outdated in %j', (module, messages) => {
  const $module = { id: 'm', name: 'Footer', pinned: true, ...module };
  const known = { latestVersions: { m: 3, 7: 3 } };
  expect(messagesOf('module-outdated', emailOf({ ...text, $module }), known)).toEqual(messages);
});

it('not-drawn reports render warnings, except warnings about missing modules', () => {
  const document = emailOf({ $module: { id: 'm', problem: 'not_found' } }, text);
  const path = '/stripes/0/containers/0/blocks/';
  const warnings = [
    { nodeId: null, path: `${path}0`, message: 'The module m is left out.' },
    { nodeId: 'b', path: `${path}1`, message: 'glow: not a property of this node.' },
  ];
  expect(messagesOf('not-drawn', document, { warnings })).toEqual([
    'glow: not a property of this node.',
  ]);
});

it.each<[bytes: number, rule: RuleName, messages: string[]]>([
  [80 * 1_024, 'html-large', []],
  [
    80 * 1_024 + 1,
    'html-large',
    [
      'The HTML is 81 KB. Tracking links will make it larger, and Gmail cuts off emails after 102 KB.',
    ],
  ],
  [102 * 1_024 + 1, 'html-large', []],
  [102 * 1_024, 'html-clipped', []],
  [103 * 1_024, 'html-clipped', ['The HTML is 103 KB, but Gmail cuts off emails after 102 KB.']],
])('HTML of %i bytes under the rule %s', (bytes, rule, messages) => {
  expect(messagesOf(rule, {}, { html: 'a'.repeat(bytes) })).toEqual(messages);
});
