import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type EmailDocument } from '#client';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';
import { compare, pictureOf, referenceOf } from './reference-pictures.js';

interface Email {
  name: string;
  content: EmailDocument;
}

// Emails that a designer has written from the documentation.
const emails = globSync('test/browser/emails/documents/*.json').map((path): [string, Email] => [
  basename(path, '.json'),
  JSON.parse(readFileSync(path, 'utf8')) as Email,
]);
// The fonts of Arabic letters differ between machines.
const WITHOUT_PICTURE = ['arabic-invoice'];
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#b9c4cf"/></svg>';

let ada: Visitor;

useBrowser();
beforeAll(async () => {
  ada = await Visitor.arrive();
  await ada.page.route(/^https?:/, (route) => {
    const isPicture = route.request().resourceType() === 'image';
    return route.fulfill(
      isPicture ? { contentType: 'image/svg+xml', body: PICTURE } : { body: '' },
    );
  });
});

describe.each(emails)('%s', (file, { content }) => {
  let html: string;
  beforeAll(async () => {
    const { generated: client } = await clientFor('ada@example.com');
    const data = content.sampleData as Record<string, unknown>;
    const { data: rendered } = await render({ client, body: { content, data } });
    expect([rendered.warnings, rendered.variables.missing]).toEqual([[], []]);
    html = rendered.html ?? '';
  });

  it.each([
    [600, 'light'],
    [375, 'light'],
    [600, 'dark'],
  ] as const)('looks like its reference at %i pixels in %s mode', async (width, colorScheme) => {
    await ada.page.emulateMedia({ colorScheme });
    const picture = await pictureOf(ada.page, html, width);
    const overflow = await ada.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBe(0);
    if (WITHOUT_PICTURE.includes(file)) return;
    const name = `written-${file}-${width}${colorScheme === 'dark' ? '-dark' : ''}`;
    const { share, height } = compare(picture, referenceOf(name, picture), name);
    expect(height).toBeLessThanOrEqual(8);
    expect(share).toBeLessThanOrEqual(0.005);
  });
});
