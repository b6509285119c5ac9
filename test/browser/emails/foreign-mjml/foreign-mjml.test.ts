import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { importDocument, render, type Imported } from '#client';
import { clientFor } from '../../support/stack.js';
import { useBrowser, Visitor } from '../../support/visitor.js';
import { compare, pictureOf } from '../reference-pictures.js';

// MJML as other people write it. The third email has all that Galley draws differently.
const emails = globSync('test/browser/emails/foreign-mjml/*.mjml').map((path): [string, string] => [
  basename(path, '.mjml'),
  readFileSync(path, 'utf8'),
]);
const DIFFERENT = ['every-component'];
const MAX_SHARE = 0.02;
const MAX_HEIGHT = 8;
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

describe.each(emails)('%s', (file, content) => {
  let imported: Imported;
  let html: string;
  let original: string;
  beforeAll(async () => {
    const { generated: client } = await clientFor('ada@example.com');
    ({ data: imported } = await importDocument({ client, body: { format: 'mjml', content } }));
    const { data } = await render({ client, body: { content: imported.document } });
    expect(data.warnings.filter(({ message }) => !message.includes('icons'))).toEqual([]);
    html = data.html ?? '';
    const options = { presets: [presetCore], validationLevel: 'skip' as const, fonts: {} };
    ({ html: original } = await mjmlCore.default(content, options));
  });

  it.each([600, 375])('looks at %i pixels as MJML draws it', async (width) => {
    const expected = await pictureOf(ada.page, original, width);
    const picture = await pictureOf(ada.page, html, width);
    const difference = compare(picture, expected, `foreign-${file}-${width}`);
    const isSmall = difference.share <= MAX_SHARE && difference.height <= MAX_HEIGHT;
    const isExpected = isSmall || DIFFERENT.includes(file);
    expect({ ...difference, isExpected }).toMatchObject({ isExpected: true });
  });

  it('says what is different', () => {
    const outcomes = imported.report.entries.map(({ outcome, source }) => `${outcome} ${source}`);
    expect(outcomes).toEqual(differences[file]);
  });
});

const differences: Record<string, string[]> = {
  newsletter: [],
  receipt: [
    'kept-as-html mjml/mj-body[1]/mj-section[1]/mj-column[1]/mj-table[1]',
    'kept-as-html mjml/mj-body[1]/mj-section[3]/mj-column[1]/mj-raw[1]',
    'approximated mjml',
  ],
  'every-component': [
    'lost mjml/mj-head[1]/mj-html-attributes[1]',
    'lost mjml/mj-head[1]/mj-style[1]',
    'approximated mjml/mj-body[1]/mj-section[1]/mj-column[1]/mj-image[1]',
    'approximated mjml/mj-body[1]/mj-section[3]/mj-column[1]/mj-accordion[1]',
    'approximated mjml/mj-body[1]/mj-section[3]/mj-column[1]/mj-carousel[1]',
    'approximated mjml/mj-body[1]/mj-section[4]/mj-group[1]',
    'lost mjml/mj-body[1]/mj-include[1]',
  ],
};
