import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import compile from '../../drawing/compile.js';
import { Personalisation } from '../../personalisation/index.js';
import { importDocument } from '../convert.js';

const EMAIL = `<!doctype html>
<html lang="en">
<head>
  <title>Your order</title>
  <style>
    @import url("https://fonts.googleapis.com/css?family=Nunito+Sans:400,700");
    body, td { font-family: "Nunito Sans", Arial, sans-serif; }
    .preheader { display: none !important; }
    .total { color: #aa0000; }
    @media (max-width: 600px) { .total { font-size: 30px } }
  </style>
</head>
<body style="background-color: #F4F4F7; color: #51545E;" class="x">
  <span class="preheader">Thank you, {{name}}</span>
  <!--[if mso]><p>Outlook</p><![endif]-->
  <table width="640"><tr><td><p class="total">{{ total | default: "0" }}</p></td></tr></table>
  <a href="https://example.com/orders">Orders</a>
  <form><input name="a"></form>
</body>
</html>`;

const { document, report } = importDocument({ format: 'html', content: EMAIL });
const [block] = (
  document['stripes'] as { containers: { blocks: { props: { content: string } }[] }[] }[]
)[0]?.containers[0]?.blocks ?? [{ props: { content: '' } }];
const html = block?.props.content ?? '';

describe('HTML', () => {
  it('gives the document its title, language, preheader, fonts and styles', () => {
    expect(document).toMatchObject({
      language: 'en',
      title: 'Your order',
      preheader: 'Thank you, {{name}}',
      styles: {
        contentWidth: 640,
        backgroundColor: '#f4f4f7',
        fontFamily: "'Nunito Sans', Arial, sans-serif",
        textColor: '#51545E',
        linkColor: '#0000ee',
      },
      fonts: [
        {
          name: 'Nunito Sans',
          url: 'https://fonts.googleapis.com/css?family=Nunito+Sans:400,700',
        },
      ],
    });
  });

  it('has its style sheet in the styles of its elements', () => {
    expect(html).toMatch(/<p class="total" style="margin:1em 0;color: #aa0000;">/);
    expect(html).not.toContain('<style');
  });

  it('keeps its merge tags', () => {
    expect(html).toContain('{{ total | default: "0" }}');
  });

  it('has a report of what is lost', () => {
    expect(report.entries.map(({ outcome, message }) => `${outcome}: ${message}`)).toEqual([
      'lost: The rules for @media (max-width: 600px) are lost.',
      'lost: Conditional comments, which only Outlook reads, are lost.',
      'kept-as-html: The email is one block of HTML, without blocks to edit.',
      'lost: Galley removes <form>, <input> from HTML.',
    ]);
  });
});

// Emails that people have written. A clone of the repository alone does not have them.
const FOLDER = '../shared/samples/html';
const samples = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const)
  : [];

it.each([['the email', EMAIL] as const, ...samples])(
  '%s is drawn with all its texts',
  async (_name, content) => {
    const imported = importDocument({ format: 'html', content });
    const source = {
      content: JSON.stringify(imported.document),
      title: 'A',
      format: 'all',
    } as const;
    const compiled = await compile(source);
    if ('reason' in compiled) throw new Error(compiled.reason);
    // Some of these emails have tags of Handlebars, which Galley does not know.
    const others = compiled.warnings.filter(
      ({ message }) => !message.startsWith('The merge tag {{'),
    );
    expect(others).toEqual([]);
    const run = new Personalisation(undefined, 'en');
    const drawn = compiled.programs.html ? run.fill(compiled.programs.html) : '';
    const words = wordsIn(content);
    const kept = new Set(wordsIn(drawn));
    expect(words.length).toBeGreaterThan(1);
    expect(words.filter((word) => !kept.has(word))).toEqual([]);
  },
);

/** The words that a reader of an email sees, and its merge tags. */
const wordsIn = (email: string): string[] =>
  email
    .replace(/^[^]*<body[^>]*>/, '')
    .replaceAll(/<(style|script)\b[^]*?<\/\1>/g, ' ')
    .replaceAll(/<!--[^]*?-->/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/[^\p{L}\d{}]+/u)
    .filter((word) => word.length > 2 && !/^(?:nbsp|quot|amp|apos|lt|gt|copy)$/.test(word));
