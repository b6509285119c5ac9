import { beforeAll, expect, it } from '@jest/globals';
import { render, type Block, type EmailDocument, type MailClient } from '#client';
import type { Client } from '../../support/api/client.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

let ada: Visitor;
let client: Client['generated'];

useBrowser();
beforeAll(async () => {
  client = (await clientFor('ada@example.com')).generated;
  ada = await Visitor.arrive();
  await ada.page.route('https://example.com/**', (route) => route.fulfill({ body: '' }));
});

const documentOf = (...blocks: Block[]): EmailDocument => ({
  stripes: [{ containers: [{ blocks }] }],
});

async function show(content: EmailDocument, width: number, as?: MailClient): Promise<void> {
  const { data } = await render({ client, body: { content, ...(as && { client: as }) } });
  await ada.page.setViewportSize({ width, height: 800 });
  await ada.page.setContent(data.html ?? '');
}

const VIDEO = {
  src: 'https://example.com/video',
  poster: 'https://example.com/poster.png',
  alt: 'A tour',
  'play-button': true,
};

it('the whole picture of a video is a link, with the play button in its middle', async () => {
  await show(documentOf({ type: 'video', props: VIDEO }), 600);
  const link = ada.page.getByRole('link', { name: 'A tour' });
  expect(await link.getAttribute('href')).toBe(VIDEO.src);
  expect(await link.boundingBox()).toEqual({ x: 24, y: 24, width: 552, height: 311 });
  const button = await ada.page.getByRole('img', { name: 'A tour' }).boundingBox();
  expect(button).toMatchObject({ x: 264, width: 72, height: 72 });
  expect(Math.abs((button?.y ?? 0) - (24 + (311 - 72) / 2))).toBeLessThan(2);
});

it('the picture of a video keeps its ratio on a phone, or has the height that the document sets', async () => {
  const heightOf = async () =>
    (await ada.page.getByRole('link', { name: 'A tour' }).boundingBox())?.height;
  await show(documentOf({ type: 'video', props: VIDEO }), 376);
  expect(await heightOf()).toBe(188);
  await show(documentOf({ type: 'video', props: { ...VIDEO, height: '120px' } }), 376);
  expect(await heightOf()).toBe(120);
});

it.each([
  ['https://example.com/{{ poster }}.png', 'merge tags'],
  ["https://example.com/a'b.png", 'a quote'],
])('a video with the poster %s has no play button, because of %s', async (poster) => {
  const content = documentOf({ type: 'video', props: { ...VIDEO, poster } });
  const { data } = await render({ client, body: { content } });
  expect(data.html).not.toContain('no-repeat');
  expect(data.html).not.toContain('50vw');
  expect(data.warnings.map(({ message }) => message)).toContain(
    'play-button is left out: the poster is missing, or has merge tags, quotes or brackets.',
  );
});

const ACCORDION = documentOf({
  type: 'accordion',
  props: {
    elements: [
      { title: 'When does it arrive?', content: 'On Monday.' },
      { title: 'May I return it?', content: 'For thirty days.', condition: 'canReturn' },
    ],
  },
});

it('the texts of an accordion open and close by their titles', async () => {
  await show(ACCORDION, 600);
  const text = ada.page.getByText('On Monday.');
  expect(await text.isVisible()).toBe(false);
  await ada.page.getByText('When does it arrive?').click();
  expect(await text.isVisible()).toBe(true);
  expect(await ada.page.getByText('For thirty days.').isVisible()).toBe(false);
});

it('Gmail shows all texts of an accordion', async () => {
  await show(ACCORDION, 600, 'gmail');
  expect(await ada.page.getByText('On Monday.').isVisible()).toBe(true);
});
