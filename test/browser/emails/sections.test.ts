import { beforeAll, expect, it } from '@jest/globals';
import { render, type Block, type EmailDocument } from '#client';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const text = (content: string): Block => ({ type: 'text', props: { content, padding: '0' } });
const containerOf = (content: string) => ({ blocks: [text(content)] });

const DOCUMENT: EmailDocument = {
  styles: { stripe: { padding: '0', 'background-color': '#ffeecc' } },
  stripes: [
    {
      type: 'hero',
      styles: { height: '200px', 'vertical-align': 'bottom', 'background-color': '#003322' },
      blocks: [text('on the picture')],
    },
    {
      type: 'wrapper',
      styles: { padding: '20px', border: '5px solid #112233', color: '#990000' },
      stripes: [
        { containers: [containerOf('first stripe')] },
        {
          structures: [
            { containers: [containerOf('left'), containerOf('right')] },
            { styles: { color: '#009900' }, containers: [containerOf('second row')] },
          ],
        },
      ],
    },
  ],
};

let ada: Visitor;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await render({ client, body: { content: DOCUMENT, format: 'all' } });
  expect(data.warnings).toEqual([]);
  expect(data.text).toBe('on the picture\n\nfirst stripe\n\nleft\n\nright\n\nsecond row\n');
  ada = await Visitor.arrive();
  await ada.page.setViewportSize({ width: 600, height: 800 });
  await ada.page.setContent(data.html ?? '');
});

async function boxOf(content: string) {
  const box = await ada.page.getByText(content).boundingBox();
  return {
    left: box?.x,
    top: box?.y,
    width: box?.width,
    bottom: (box?.y ?? 0) + (box?.height ?? 0),
  };
}
const colorOf = (content: string): Promise<unknown> =>
  ada.page.evaluate(`(() => {
    const text = [...document.querySelectorAll('div')].findLast(
      ({ textContent }) => textContent.trim() === '${content}');
    return getComputedStyle(text).color;
  })()`);

it('a hero has its height, and aligns its blocks', async () => {
  expect(await boxOf('on the picture')).toMatchObject({ left: 0, width: 600, bottom: 200 });
});

it('a wrapper has a border and a padding around its stripes', async () => {
  expect(await boxOf('first stripe')).toMatchObject({ left: 25, top: 225, width: 550 });
});

it('structures are rows of containers', async () => {
  const first = await boxOf('first stripe');
  const left = await boxOf('left');
  const right = await boxOf('right');
  const second = await boxOf('second row');
  expect(left).toMatchObject({ left: 25, width: 275, top: first.bottom });
  expect(right).toMatchObject({ left: 300, width: 275, top: first.bottom });
  expect(second).toMatchObject({ left: 25, width: 550, top: left.bottom });
});

it('text styles reach the blocks through wrappers, stripes and structures', async () => {
  expect(await Promise.all(['first stripe', 'left', 'second row'].map(colorOf))).toEqual([
    'rgb(153, 0, 0)',
    'rgb(153, 0, 0)',
    'rgb(0, 153, 0)',
  ]);
});
