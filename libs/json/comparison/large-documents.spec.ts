import { expect, it } from '@jest/globals';
import { JsonText } from '../json-text.js';
import { compareInSteps, createJsonPatchInSteps } from './compare-documents.js';

const MIB = 1024 * 1024;
// If both documents are four times as large, the comparison may take this many times as many steps. Quadratic work
// would take 16 times as many steps.
const MAX_GROWTH = 5;
// A step is the work between two yields. With this many bytes per step, the longest step takes less than 10 ms on a
// quiet machine. test/system/limits/heavy-requests proves that heavy comparisons do not delay requests.
const MAX_BYTES_PER_STEP = 1024;

/** Counts the steps of comparing two documents and creating a patch. */
function countSteps(from: JsonText, to: JsonText): number {
  let steps = 0;
  for (const work of [compareInSteps(from, to), createJsonPatchInSteps(from, to)]) {
    while (!work.next().done) steps++;
  }
  return steps;
}

/** A document with one array. The elements fill this fraction of 1 MiB. */
function arrayOf(part: number, element: (index: number) => string, isReversed = false): JsonText {
  const elements: string[] = [];
  for (let length = 10; length < part * MIB; length += (elements.at(-1)?.length ?? 0) + 1) {
    elements.push(element(elements.length));
  }
  if (isReversed) elements.reverse();
  return new JsonText(`{"a":[${elements.join()}]}`);
}

function objectOf(part: number, value: number, firstName = 0): JsonText {
  const members = arrayOf(part, (index) => `"${(index + firstName).toString(36)}":${value}`).text;
  return new JsonText(members.replace('[', '{').replace(']', '}'));
}

const nested = (depth: number, leaf: string) =>
  `${'{"b":['.repeat(depth)}${leaf}${']}'.repeat(depth)}`;

const block = (index: number, text: string) =>
  `{"id":"b${index}","type":"text","props":{"padding":"1px 2px","align":"left","text":"<p>${text} ${index}</p>"}}`;

const cases: [what: string, make: (part: number) => [from: JsonText, to: JsonText]][] = [
  [
    'blocks',
    (part) => [arrayOf(part, (i) => block(i, 'Hi')), arrayOf(part, (i) => block(i, 'Hi'))],
  ],
  [
    'blocks that are all changed',
    (part) => [arrayOf(part, (i) => block(i, 'Hi')), arrayOf(part, (i) => block(i, 'Hello'))],
  ],
  [
    'siblings in reverse order',
    (part) => [
      arrayOf(part, (index) => `{"id":${index}}`),
      arrayOf(part, (index) => `{"id":${index}}`, true),
    ],
  ],
  [
    'siblings with seven distinct contents in reverse order',
    (part) => [
      arrayOf(part, (index) => `{"b":${index % 7}}`),
      arrayOf(part, (index) => `{"b":${index % 7}}`, true),
    ],
  ],
  ['equal nodes', (part) => [arrayOf(part, () => '{}'), arrayOf(0.9 * part, () => '{}')]],
  [
    'nodes that all have the same id',
    (part) => [arrayOf(part, () => '{"id":1}'), arrayOf(part, (i) => `{"id":1,"b":${i % 2}}`)],
  ],
  ['members that are all changed', (part) => [objectOf(part, 1), objectOf(part, 2)]],
  ['members with other names', (part) => [objectOf(part, 1), objectOf(part, 1, 1_000_000)]],
  ['numbers', (part) => [arrayOf(part, String), arrayOf(part, (index) => `${index}.0`)]],
  [
    'deeply nested nodes',
    (part) => [
      arrayOf(part, (index) => nested(90, String(index % 2))),
      arrayOf(part, (index) => nested(90, String(index % 3))),
    ],
  ],
  [
    'nodes below a long name',
    (part) => {
      const name = 'n'.repeat((part * MIB) / 2);
      const of = (field: string) => arrayOf(part / 2, (i) => `{"id":${i}${field}}`).text;
      return [
        new JsonText(of('').replace('"a"', `"${name}"`)),
        new JsonText(of(',"b":1').replace('"a"', `"${name}"`)),
      ];
    },
  ],
];

it.each(cases)(
  '1 MiB of %s is compared in short steps, about four times as many as for 256 KiB',
  (_, make) => {
    const [from, to] = make(1);
    const steps = countSteps(from, to);
    expect(steps).toBeGreaterThan((from.byteLength + to.byteLength) / MAX_BYTES_PER_STEP);
    expect(steps).toBeLessThan(MAX_GROWTH * countSteps(...make(0.25)));
  },
);
