import { expect, it } from '@jest/globals';
import { classAt, markDocument } from './marked-document.js';

const content = {
  language: 'en',
  stripes: [
    {
      styles: { padding: '1px', 'css-class': 'own' },
      containers: [
        { blocks: [{ type: 'column', blocks: [{ type: 'menu', props: { links: [{}] } }] }] },
      ],
    },
    'no stripe',
  ],
};

it('adds a class to each node, and keeps existing classes', () => {
  const { content: marked } = markDocument(content);
  expect(marked).toEqual({
    language: 'en',
    stripes: [
      {
        styles: { padding: '1px', 'css-class': 'own galley-node-0' },
        containers: [
          {
            styles: { 'css-class': 'galley-node-1' },
            blocks: [
              {
                type: 'column',
                props: { 'css-class': 'galley-node-2' },
                blocks: [{ type: 'menu', props: { links: [{}], 'css-class': 'galley-node-3' } }],
              },
            ],
          },
        ],
      },
      'no stripe',
    ],
  });
});

it('finds the class of the enclosing block', () => {
  const marked = markDocument(content);
  const block = '/stripes/0/containers/0/blocks/0/blocks/0';
  expect(classAt(marked, `${block}/props/links/0`)).toBe('galley-node-3');
  expect(classAt(marked, '/stripes/0')).toBe('galley-node-0');
  expect(classAt(marked, '')).toBeUndefined();
  expect(classAt(marked, '/stripes/7/containers/0')).toBeUndefined();
});

it('does not change a document in another format', () => {
  expect(markDocument({ pages: [] }).content).toEqual({ pages: [] });
});
