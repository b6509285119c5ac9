import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { render, type Block, type EmailDocument } from '#client';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const text = (content: string, more: object = {}): Block => ({
  type: 'text',
  props: { content, padding: '0' },
  ...more,
});
const containerOf = (...blocks: Block[]) => ({ blocks });

const DOCUMENT: EmailDocument = {
  styles: {
    stripe: { padding: '0' },
    dark: {
      backgroundColor: '#101010',
      textColor: '#eeeeee',
      linkColor: '#88ccff',
      heading: { color: '#ffffff' },
    },
    mobile: { text: { 'font-size': '21px' } },
  },
  stripes: [
    {
      mobile: { reverse: true },
      containers: [containerOf(text('reversed left')), containerOf(text('reversed right'))],
    },
    {
      mobile: { stack: false },
      containers: [containerOf(text('kept left')), containerOf(text('kept right'))],
    },
    {
      styles: { 'background-color': '#ffeecc', color: '#442200' },
      containers: [
        containerOf(text('stays light'), { type: 'heading', props: { content: 'light heading' } }),
      ],
    },
    {
      styles: { color: '#442200' },
      dark: { 'background-color': '#332211', color: '#ffddaa' },
      containers: [
        containerOf(
          text(
            'turns dark <a href="https://example.com/">link</a> <a href="#" style="color:#123456">own colour</a>',
          ),
          text('hidden on phones', { mobile: { hide: true } }),
          {
            type: 'image',
            props: { src: 'https://example.com/light.png', alt: 'light picture' },
            dark: { src: 'https://example.com/dark.png' },
          },
          {
            type: 'image',
            visibility: 'desktop',
            props: { src: 'https://example.com/wide.png', alt: 'wide picture' },
            dark: { src: 'https://example.com/wide-dark.png' },
          },
        ),
      ],
    },
  ],
};

let ada: Visitor;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await render({ client, body: { content: DOCUMENT } });
  expect(data.warnings).toEqual([]);
  ada = await Visitor.arrive();
  await ada.page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: '' }),
  );
  await ada.page.setContent(data.html ?? '');
});

async function boxOf(content: string) {
  const box = await ada.page.getByText(content).boundingBox();
  return { left: box?.x, top: box?.y, width: box?.width };
}
const styleOf = (content: string, name: string): Promise<unknown> =>
  ada.page.evaluate(`(() => {
    const text = [...document.querySelectorAll('div, a')].findLast(({ textContent }) =>
      textContent.trim().startsWith('${content}'));
    return getComputedStyle(text).getPropertyValue('${name}');
  })()`);
const shownPictures = (): Promise<unknown> =>
  ada.page.evaluate(`[...document.images].filter((each) => each.checkVisibility())
    .map(({ src }) => src)`);

describe('in wide windows', () => {
  beforeEach(() => ada.page.setViewportSize({ width: 600, height: 800 }));

  it('columns are in the order of the document', async () => {
    const top = 0;
    expect(await boxOf('reversed left')).toMatchObject({ left: 0, top });
    expect(await boxOf('reversed right')).toMatchObject({ left: 300, top });
    expect(await styleOf('reversed left', 'font-size')).toBe('16px');
    expect(await boxOf('hidden on phones')).toMatchObject({ left: 0 });
  });
});

describe('in narrow windows', () => {
  beforeEach(() => ada.page.setViewportSize({ width: 400, height: 800 }));

  it('a reversed row has its last column at the top', async () => {
    const left = await boxOf('reversed left');
    const right = await boxOf('reversed right');
    expect([left.width, right.width, right.top]).toEqual([400, 400, 0]);
    expect(left.top).toBeGreaterThan(0);
  });

  it('a row that is not stacked keeps its columns side by side', async () => {
    const left = await boxOf('kept left');
    expect(left).toMatchObject({ left: 0, width: 200 });
    expect(await boxOf('kept right')).toMatchObject({ left: 200, width: 200, top: left.top });
  });

  it('nodes have their own properties, or those that the document sets', async () => {
    expect(await styleOf('kept left', 'font-size')).toBe('21px');
    expect(await ada.page.getByText('hidden on phones').isVisible()).toBe(false);
  });
});

describe('in dark mode', () => {
  beforeEach(() => ada.page.emulateMedia({ colorScheme: 'dark' }));

  it('texts have the nearest colour', async () => {
    expect(await styleOf('kept left', 'color')).toBe('rgb(238, 238, 238)');
    expect(await styleOf('turns dark', 'color')).toBe('rgb(255, 221, 170)');
    expect(await styleOf('link', 'color')).toBe('rgb(255, 221, 170)');
    expect(await ada.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(16, 16, 16)',
    );
  });

  it('a stripe without colours for dark mode keeps its own colours', async () => {
    expect(await styleOf('stays light', 'color')).toBe('rgb(68, 34, 0)');
    expect(await styleOf('light heading', 'color')).toBe('rgb(68, 34, 0)');
    expect(await styleOf('own colour', 'color')).toBe('rgb(18, 52, 86)');
  });

  it('another picture is shown', async () => {
    const pictures = (...names: string[]) => names.map((name) => `https://example.com/${name}.png`);
    await ada.page.setViewportSize({ width: 600, height: 800 });
    expect(await shownPictures()).toEqual(pictures('dark', 'wide-dark'));
    await ada.page.setViewportSize({ width: 400, height: 800 });
    expect(await shownPictures()).toEqual(pictures('dark'));
    await ada.page.emulateMedia({ colorScheme: 'light' });
    expect(await shownPictures()).toEqual(pictures('light'));
  });
});
