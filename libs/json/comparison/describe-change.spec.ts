import { expect, it } from '@jest/globals';
import { JsonText } from '../json-text.js';
import { compareDocuments } from './compare-documents.js';

const textOf = (document: unknown) => new JsonText(JSON.stringify(document));

const block = (id: string) => ({ id, type: 'text', props: { text: 'Hello', padding: '1px' } });
const container = (id: string, ...blocks: object[]) => ({ id, type: 'container', blocks });
const stripe = (id: string, ...containers: object[]) => ({ id, type: 'stripe', containers });
const template = (...stripes: object[]) => ({ stripes });
const page = (...blocks: object[]) =>
  template(stripe('s0'), stripe('s1', container('c1', ...blocks)));
it.each<[sentences: string[], from: unknown, to: unknown]>([
  [
    ['The text block "Hello" in stripe 2, container 1 has different padding and now has color.'],
    page(block('b1')),
    page({ ...block('b1'), props: { text: 'Hello', padding: '2px', color: 'red' } }),
  ],
  [
    ['The text block "Hi there" in stripe 2, container 1 has different text and padding.'],
    page(block('b1')),
    page({ id: 'b1', type: 'text', props: { text: '<p>Hi&nbsp;there</p>', padding: '2px' } }),
  ],
  [
    [
      'The image block at position 1 in stripe 2, container 1 has different src and no longer has width.',
    ],
    page({ id: 'b1', type: 'image', src: 'a', width: 1 }),
    page({ id: 'b1', type: 'image', src: 'b' }),
  ],
  [
    ['The text block "Hello" was added to stripe 2, container 1, at position 1.'],
    page(),
    page(block('b1')),
  ],
  [['The text block "Hello" was removed from stripe 2, container 1.'], page(block('b1')), page()],
  [
    ['The stripe "Header" was moved from position 1 to position 3.'],
    { stripes: [{ id: 1, name: 'Header' }, { id: 2 }, { id: 3 }] },
    { stripes: [{ id: 2 }, { id: 3 }, { id: 1, name: 'Header' }] },
  ],
  [
    [
      'The container was added to stripe 1, at position 1.',
      'The text block "Hello" was moved from stripe 2, container 1, position 1 to stripe 1, container 1, position 1.',
    ],
    page(block('b1')),
    template(stripe('s0', container('c0', block('b1'))), stripe('s1', container('c1'))),
  ],
  [
    ['The node was moved from position 1 in left to position 1 in right.'],
    { left: [{ id: 1 }], right: [] },
    { left: [], right: [{ id: 1 }] },
  ],
  [
    ['The row was moved from position 1 to position 1 in another array.'],
    { rows: [[{ id: 1 }, { id: 2 }], [{ id: 3 }]] },
    { rows: [[{ id: 2 }], [{ id: 1 }, { id: 3 }]] },
  ],
  [['The stripe was removed from position 1.'], { stripes: [{ id: 1 }] }, { stripes: [] }],
  [['The document has different width.'], { styles: { width: 1 } }, { styles: { width: 2 } }],
  [
    ['The document has different f0, f1, f2, f3, f4 and other fields.'],
    Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, 1])),
    Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, 2])),
  ],
])('says: %j', async (sentences, from, to) => {
  const { changes } = await compareDocuments(textOf(from), textOf(to));
  const listed = JSON.parse(changes.text) as { sentence: string }[];
  expect(listed.map(({ sentence }) => sentence)).toEqual(sentences);
});
