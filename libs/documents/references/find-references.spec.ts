import { describe, expect, it } from '@jest/globals';
import { JsonText } from '#json';
import { findReferences, stepsOf } from './find-references.js';

function find(text: string) {
  const work = findReferences(new JsonText(text));
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

const reference = '{"type":"module","moduleId":"a"}';

describe('references', () => {
  it.each([
    ['stripes', `{"stripes":[{}, ${reference}]}`, 'stripe', ['stripes', '1']],
    [
      'containers',
      `{"stripes":[{"containers":[${reference}]}]}`,
      'container',
      ['stripes', '0', 'containers', '0'],
    ],
    ['blocks', `{"a":{"b/c":{"blocks":[1,${reference}]}}}`, 'block', ['a', 'b/c', 'blocks', '1']],
  ])('are found in %s', (_name, text, place, path) => {
    const [found, ...others] = find(text);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ place, moduleId: '"a"', version: undefined });
    expect(stepsOf(found?.path)).toEqual(path);
    expect(text.slice(found?.start, found?.end)).toBe(reference);
  });

  it('may have a version, a time, other members and white space', () => {
    const text = `{"blocks":[ { "id" : "x", "asOf":"t","version" : 3 ,"moduleId":"a","type":"module","styles":{"type":"text","moduleId":"b"}} ]}`;
    expect(find(text)).toMatchObject([{ moduleId: '"a"', version: '3', asOf: '"t"' }]);
  });

  it.each([
    ['in another array', `{"rows":[${reference}]}`],
    ['that are not elements of an array', `{"blocks":${reference}}`],
    ['in an array inside blocks', `{"blocks":[[${reference}]]}`],
    ['without a type', '{"blocks":[{"moduleId":"a"}]}'],
    ['in a string', `{"blocks":[${JSON.stringify(reference)}]}`],
    ['without an id', '{"blocks":[{"type":"module"}],"moduleId":"a"}'],
  ])('do not include objects %s', (_name, text) => {
    expect(find(text)).toEqual([]);
  });

  it('inside another reference do not count', () => {
    const text = `{"blocks":[{"blocks":[${reference}],"type":"module","moduleId":"outer"},${reference}]}`;
    expect(find(text).map(({ moduleId }) => moduleId)).toEqual(['"outer"', '"a"']);
  });

  it('are found after strings with escapes, and between other nodes', () => {
    const text = `{"blocks":[{"text":"\\"blocks\\":[\\\\"},${reference},{"text":"é]}"},${reference}]}`;
    expect(find(text).map(({ path }) => stepsOf(path))).toEqual([
      ['blocks', '1'],
      ['blocks', '3'],
    ]);
  });

  it('under a long member name do not copy the name', () => {
    const text = `{"${'k'.repeat(515_000)}":{"blocks":[${Array(7_700).fill(reference).join(',')}]}}`;
    const { heapUsed } = process.memoryUsage();
    const found = find(text);
    expect(found).toHaveLength(7_700);
    expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(50_000_000);
    expect(stepsOf(found.at(-1)?.path)).toEqual([`${'k'.repeat(99)}…`, 'blocks', '7699']);
  });
});
