import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { convert } from 'html-to-text';
import compile from './compile.js';
import { Personalisation, type MergeData } from '../personalisation/index.js';

const ADDRESS = /\[?(?:https?|mailto):\S+/g;
const wordsOf = (text: string): string[] =>
  (
    text
      .replace(ADDRESS, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).toSorted();

/** Plain text leaves out nodes that are shown only on phones. */
const withoutMobileNodes = (_name: string, value: unknown): unknown =>
  Array.isArray(value)
    ? value.filter((each: { visibility?: string } | null) => each?.visibility !== 'mobile')
    : value;

it.each(globSync('apps/settings/samples/*.json'))(
  '%s has the same words as HTML and as plain text',
  async (path) => {
    const { content, data } = JSON.parse(readFileSync(path, 'utf8'), withoutMobileNodes) as {
      content: object;
      data: MergeData;
    };
    // Only the HTML contains the preheader.
    const source = { content: JSON.stringify({ ...content, preheader: '' }), title: '' };
    const compiled = await compile({ ...source, format: 'all' });
    if ('reason' in compiled) throw new Error(compiled.reason);
    const { html, text } = compiled.programs;
    if (html === undefined || text === undefined) throw new Error('A result is missing.');
    const personalisation = new Personalisation(data, compiled.locale);
    const fromHtml = convert(personalisation.fill(html).replace(/<\/t[dh]>/g, ' '), {
      wordwrap: false,
      selectors: [{ selector: 'a', options: { ignoreHref: true } }],
    });
    expect(wordsOf(personalisation.fill(text))).toEqual(wordsOf(fromHtml));
  },
);
