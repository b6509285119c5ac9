import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type EmailDocument, type MailClient } from '#client';
import { findViolations } from '../support/appearances.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';
import { compare, pictureOf, referenceOf, type Difference } from './reference-pictures.js';

interface Sample {
  name: string;
  content: EmailDocument;
  data: Record<string, unknown>;
}

const samples = globSync('apps/settings/samples/*.json').map((path): [string, Sample] => [
  basename(path, '.json'),
  JSON.parse(readFileSync(path, 'utf8')) as Sample,
]);
// The fonts of Arabic letters differ between machines.
const WITHOUT_PICTURE = ['invoice'];
const WIDTHS = [600, 375];
const MAIL_CLIENTS: MailClient[] = [
  'gmail',
  'gmail-app',
  'outlook-windows',
  'apple-mail-dark',
  'without-images',
];

// Another version of Chromium draws lines and corners a little differently.
const MAX_SHARE = 0.005;
const MAX_HEIGHT = 8;
const isSmall = ({ share, height }: Difference) => share <= MAX_SHARE && height <= MAX_HEIGHT;

let ada: Visitor;

useBrowser();
beforeAll(async () => {
  ada = await Visitor.arrive();
});

async function htmlOf(
  { name, content, data: values }: Sample,
  mailClient?: MailClient,
): Promise<string> {
  const { generated: client } = await clientFor('ada@example.com');
  const like = mailClient && { client: mailClient };
  const body = { content: { title: name, ...content }, data: values, ...like };
  const { data } = await render({ client, body });
  expect([data.warnings, data.variables.missing]).toEqual([[], []]);
  return data.html ?? '';
}

describe.each(samples)('%s', (file, sample) => {
  let html: string;
  beforeAll(async () => {
    html = await htmlOf(sample);
  });

  it.each(WIDTHS)('looks like its reference at %i pixels', async (width) => {
    if (WITHOUT_PICTURE.includes(file)) return;
    const picture = await pictureOf(ada.page, html, width);
    const name = `${file}-${width}`;
    const difference = compare(picture, referenceOf(name, picture), name);
    expect({ ...difference, isSmall: isSmall(difference) }).toMatchObject({ isSmall: true });
  });

  it.each(MAIL_CLIENTS)('looks like its reference in %s', async (mailClient) => {
    if (WITHOUT_PICTURE.includes(file)) return;
    const picture = await pictureOf(ada.page, await htmlOf(sample, mailClient), 600);
    const name = `${file}-${mailClient}`;
    const difference = compare(picture, referenceOf(name, picture), name);
    expect({ ...difference, isSmall: isSmall(difference) }).toMatchObject({ isSmall: true });
  });

  it.each(WIDTHS)('is accessible at %i pixels, and does not scroll sideways', async (width) => {
    await ada.page.setViewportSize({ width, height: 600 });
    await ada.page.setContent(html);
    expect(await findViolations(ada.page)).toEqual([]);
    const overflow = await ada.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBe(0);
  });
});

describe('a picture differs from its reference', () => {
  const [, welcome] = samples.find(([file]) => file === 'welcome') ?? [];
  const json = JSON.stringify(welcome);

  it.each([
    ['another colour of a button', '"background-color":"#b5472f"', '"background-color":"#2f6fb5"'],
    ['another padding', '"padding":"0 32px 20px"', '"padding":"0 32px 26px"'],
    ['another size of the title', '"font-size":"38px"', '"font-size":"34px"'],
    ['another text', 'Vegetarian, no nuts, quick on weekdays: your profile', 'Your profile'],
  ])('after a change of %s', async (_title, before, after) => {
    const changed = json.replace(before, after);
    expect(changed).not.toBe(json);
    const html = await htmlOf(JSON.parse(changed) as Sample);
    const picture = await pictureOf(ada.page, html, 600);
    const reference = referenceOf('welcome-600');
    const difference = compare(picture, reference, 'change');
    expect(isSmall(difference)).toBe(false);
  });
});
