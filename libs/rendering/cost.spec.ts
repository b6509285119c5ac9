import { expect, it } from '@jest/globals';
import { runInSlices } from '#time-slices';
import { costOf as stepsOf } from './cost.js';

const documentOf = (blocks: readonly object[]) =>
  JSON.stringify({ stripes: [{ containers: [{ blocks }] }] });
const costOf = async (content: string) => runInSlices(stepsOf(content));
const text = (content: string) => ({ type: 'text', props: { content } });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

it('the estimate counts blocks, properties and formatted texts', async () => {
  const few = await costOf(documentOf(times(10, text('Hello'))));
  const many = await costOf(documentOf(times(100, text('Hello'))));
  expect(many / few).toBeCloseTo(10, -1);
  const plain = await costOf(documentOf([text('Hello '.repeat(1_000))]));
  const formatted = await costOf(documentOf([text('<b>a</b> '.repeat(1_000))]));
  expect(formatted).toBeGreaterThan(4 * plain);
});

it.each([
  ['three words', documentOf([text('Hello dear guest')]), 1],
  ['prose of 100 KB', documentOf([text('Hello '.repeat(16_000))]), 20],
  ['a thousand merge tags', documentOf([text('{{user.name}} '.repeat(1_000))]), 50],
])('%s: the estimate is below the limit', async (_title, content, milliseconds) => {
  expect(await costOf(content)).toBeLessThan(milliseconds);
});

it.each([
  [
    'entries with tags',
    documentOf([{ type: 'list', props: { items: times(60_000, '<b>a</b>') } }]),
  ],
  [
    'entries with entities',
    documentOf([{ type: 'list', props: { items: times(60_000, '&amp;') } }]),
  ],
  ['tags', documentOf([text('<b>'.repeat(340_000))])],
  ['tags as escapes', documentOf([text('<b>'.repeat(340_000))]).replaceAll('<', '\\u003c')],
  ['objects', `{"stripes":[${times(40_000, '{}').join()}]}`],
])('too many %s cost more than a second', async (_title, content) => {
  expect(await costOf(content)).toBeGreaterThan(1_000);
});

it('estimating the cost of a one-megabyte document lets other requests run', () => {
  const steps = stepsOf(documentOf([text('<b>'.repeat(340_000))]));
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(10);
});
