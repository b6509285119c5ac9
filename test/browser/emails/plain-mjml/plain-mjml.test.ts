import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { render, type EmailDocument } from '#client';
import type { Client } from '../../../support/api/client.js';
import { clientFor } from '../../support/stack.js';
import { useBrowser, Visitor } from '../../support/visitor.js';
import { compare, pictureOf } from '../reference-pictures.js';
import { MJML_DEFAULTS, plainHtmlOf, withoutKnownDifferences } from './plain-mjml.js';

// Documents that people have designed. A clone of the repository alone does not have them.
const FOLDER = '../shared/samples';
const designed = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map((name): [string, Record<string, unknown>] => {
        const { content } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as {
          content: Record<string, unknown>;
        };
        return [basename(name, '.json'), content];
      })
  : [];

const text = (content: string) => ({ type: 'text', props: { content } });
const LETTER = {
  styles: { contentWidth: 500, backgroundColor: '#eeeeee' },
  stripes: [
    {
      styles: { 'background-color': 'rgb(255 250 240)' },
      containers: [{ blocks: [text('One'), { type: 'divider' }, text('Two<br>lines')] }],
    },
    {
      containers: [
        {
          styles: { width: '30%' },
          blocks: [{ type: 'button', props: { content: 'Go', href: '#' } }],
        },
        { styles: { width: '70%', padding: '10px' }, blocks: [{ type: 'spacer' }, text('Three')] },
      ],
    },
  ],
};

let ada: Visitor;
let client: Client['generated'];

useBrowser();
beforeAll(async () => {
  client = (await clientFor('ada@example.com')).generated;
  ada = await Visitor.arrive();
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#b9c4cf"/></svg>';
  await ada.page.route(/^https?:/, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  );
});

it.each([['a letter', LETTER], ...designed])(
  '%s looks as MJML alone draws it, if it has the defaults of MJML',
  async (name, original) => {
    const document = withoutKnownDifferences(original) as Record<string, unknown>;
    const styles = { ...MJML_DEFAULTS, ...(document['styles'] as object) };
    const content = { ...document, styles } as unknown as EmailDocument;
    const { data } = await render({ client, body: { content } });
    const picture = await pictureOf(ada.page, data.html ?? '', 640);
    const plain = await pictureOf(ada.page, await plainHtmlOf(document), 640);
    const { height, share } = compare(picture, plain, `plain-${name}`);
    expect(height).toBeLessThanOrEqual(4);
    expect(share).toBeLessThan(0.01);
  },
);
