import { expect, it } from '@jest/globals';
import exchange, { type WriteTask } from './exchange.js';
import type { TextInLanguage } from './file-formats.js';
import { fallbacksOf } from './languages.js';
import { progressOf } from './progress.js';
import { translate } from './translate.js';

const email = () => ({
  language: 'en',
  direction: 'ltr',
  subject: 'Fresh bread',
  translations: { pt: { subject: { text: 'Pão fresco' } } },
  stripes: [
    {
      containers: [
        {
          blocks: [
            {
              type: 'text',
              id: 'greeting',
              props: { content: 'Good morning', color: '#333' },
              translations: {
                pt: { content: { text: 'Bom dia', source: 'Hello' } },
                pt_br: { content: { text: 'Bom dia, gente' } },
                '?': { content: { text: 'x' } },
              },
            },
            { type: 'list', props: { items: ['Rye', '{{price}} €', { content: 'Wheat' }] } },
            {
              type: 'table',
              id: 'prices',
              props: { header: ['Bread', 'Price'], rows: [['Rye', '3 €'], { cells: ['Wheat'] }] },
            },
            {
              type: 'image',
              id: 'photo',
              props: { src: 'https://example.com/en.png', alt: 'A loaf' },
              translations: { pt: { src: { text: 'https://example.com/pt.png' } } },
            },
          ],
        },
      ],
    },
  ],
});
type Email = ReturnType<typeof email>;
const blocksOf = ({ stripes }: Email) => stripes[0]?.containers[0]?.blocks ?? [];

it.each([
  ['pt-BR', ['pt-BR', 'pt']],
  ['zh-Hant-TW', ['zh-Hant-TW', 'zh-Hant', 'zh']],
  ['en-u-ca-buddhist', ['en-u-ca-buddhist', 'en-u-ca', 'en']],
])('%s falls back to %j', (language, languages) => {
  expect(fallbacksOf(language)).toEqual(languages);
});

it('each text falls back by itself', () => {
  const document = email();
  expect(translate(document, 'pt-BR')).toBe('pt-BR');
  const [greeting, list, , photo] = blocksOf(document);
  expect(greeting?.props.content).toBe('Bom dia, gente');
  expect(list?.props.items).toEqual(['Rye', '{{price}} €', { content: 'Wheat' }]);
  expect(photo?.props.src).toBe('https://example.com/pt.png');
  expect(document.subject).toBe('Pão fresco');
  // The direction of the English text says nothing about another language.
  expect([document.language, 'direction' in document]).toEqual(['pt-BR', false]);
});

it.each([
  ['en', 'en', 'en'],
  ['en-GB', 'en', 'en-GB'],
  ['fr', 'en', 'en'],
])('in %s, the texts stay in %s', (language, found, languageOfEmail) => {
  const document = email();
  expect(translate(document, language)).toBe(found);
  expect(document).toEqual({ ...email(), language: languageOfEmail });
});

it('counts the texts with words, and what is missing or outdated', () => {
  const texts = 9;
  expect(progressOf(email())).toEqual([
    expect.objectContaining({ language: 'pt', texts, translated: 2, outdated: 1 }),
    expect.objectContaining({ language: 'pt-BR', texts, translated: 2, outdated: 0 }),
  ]);
  expect(progressOf(email())[0]).toMatchObject({
    missingPaths: [
      '/stripes/0/containers/0/blocks/1/props/items/0',
      '/stripes/0/containers/0/blocks/1/props/items/2/content',
      '/stripes/0/containers/0/blocks/2/props/header/0',
    ],
    outdatedPaths: ['/stripes/0/containers/0/blocks/0/props/content'],
  });
});

const read = (content: string, language = 'de') => {
  const result = exchange({ action: 'read', content, language }) as { texts: TextInLanguage[] };
  return result.texts;
};
const write = (content: string, task: Pick<WriteTask, 'texts' | 'file'>, language = 'de') =>
  exchange({
    action: 'write',
    content,
    language,
    texts: task.texts,
    file: task.file && { ...task.file, content: JSON.stringify(task.file.content) },
  });
const file = (content: string, format: 'xliff' | 'csv') =>
  (exchange({ action: 'read', content, language: 'de', format }) as { file: string }).file;

it('names a text by its node, or by its path', () => {
  expect(read(JSON.stringify(email()), 'pt').map(({ id }) => id)).toEqual([
    'subject',
    'greeting/content',
    '/stripes/0/containers/0/blocks/1/items/0',
    '/stripes/0/containers/0/blocks/1/items/2/content',
    'prices/header/0',
    'prices/header/1',
    'prices/rows/0/0',
    'prices/rows/1/cells/0',
    'photo/alt',
  ]);
  const twins = {
    stripes: [
      { id: 'a', props: { content: 'x' } },
      { id: 'a', props: { content: 'y' } },
    ],
  };
  expect(read(JSON.stringify(twins)).map(({ id }) => id)).toEqual([
    '/stripes/0/content',
    '/stripes/1/content',
  ]);
});

it('changes nothing of the JSON but the translations', () => {
  const content = `{ "big": 12345678901234567890, "10": 1, "2": 2,
  "subject" : "Fresh", "stripes": [ {"props":{"content":"One"}}, {} ] }`;
  const texts = [
    { id: 'subject', text: 'Frisch' },
    { id: '/stripes/0/content', text: 'Eins', source: 'One' },
  ];
  const written = write(content, { texts }) as { content: string };
  expect(written.content).toBe(`{ "big": 12345678901234567890, "10": 1, "2": 2,
  "subject" : "Fresh", "stripes": [ {"props":{"content":"One"},"translations":{"de":{"content":{"text":"Eins","source":"One"}}}}, {} ] ,"translations":{"de":{"subject":{"text":"Frisch","source":"Fresh"}}}}`);
  const removed = write(written.content, { texts: texts.map(({ id }) => ({ id, text: null })) });
  expect(JSON.parse((removed as { content: string }).content)).toEqual({
    ...(JSON.parse(content) as object),
    stripes: [{ props: { content: 'One' }, translations: {} }, {}],
    translations: {},
  });
});

it('keeps the other languages, and the spelling of a language', () => {
  const texts = [{ id: 'greeting/content', text: 'Olá', source: 'Good morning' }];
  const written = write(JSON.stringify(email()), { texts }, 'pt-BR') as { content: string };
  expect(blocksOf(JSON.parse(written.content) as Email)[0]?.translations).toEqual({
    ...blocksOf(email())[0]?.translations,
    pt_br: { content: { text: 'Olá', source: 'Good morning' } },
  });
});

it('refuses what does not match, and names each problem', () => {
  const texts = [
    { id: 'greeting/content', text: 'Guten Morgen', source: 'Good evening' },
    { id: 'nothing', text: 'x' },
    { id: 'subject', text: 'Frisches Brot' },
  ];
  expect(write(JSON.stringify(email()), { texts })).toEqual({
    problems: [
      {
        path: 'texts/0',
        message:
          'the text of "greeting/content" is not the source of this translation any more: "Good morning"',
      },
      { path: 'texts/1', message: 'the document has no text with the id "nothing"' },
    ],
  });
  expect(write(JSON.stringify(email()), { texts }, 'en')).toMatchObject({
    problems: [{ path: 'language' }],
  });
});

const HARD = ['=1+1', '- one', 'a "b", <b>c</b> & \'d\'', ' two\nlines ', 'émoji 🍞; x', "'=x"];
it.each(['xliff', 'csv'] as const)('a %s file comes back equal', (format) => {
  const content = JSON.stringify({
    stripes: [{ id: 'a "b" <c>', props: { items: HARD.map((text) => `${text} x`) } }],
  });
  const texts = read(content).map(({ id, source }) => ({ id, text: source, source }));
  const { content: translated } = write(content, { texts }) as { content: string };
  const exported = file(translated, format);
  // Spreadsheets compute no text.
  if (format === 'csv') expect(exported).toContain(`"'=1+1 x"`);
  expect(write(content, { file: { format, content: exported } })).toEqual({ content: translated });
  // An unfinished file changes nothing.
  expect(write(translated, { file: { format, content: file(content, format) } })).toEqual({
    content: translated,
  });
});

it('reads CSV as spreadsheets of other languages write it', () => {
  const content = JSON.stringify({ subject: 'One; two' });
  const csv = '\ufeffid;source;text\r\nsubject;"One; two";"Eins; zwei"\r\n';
  expect(write(content, { file: { format: 'csv', content: csv } })).toMatchObject({
    content: expect.stringContaining('"Eins; zwei"') as unknown,
  });
});

it('joins the segments into which a tool has split a text', () => {
  const content = JSON.stringify({ subject: 'One. Two.' });
  const xliff = `<?xml version="1.0"?><x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">
    <x:file id="f"><x:group id="g"><x:unit id="u" name="subject">
      <x:segment><x:source>One.</x:source><x:target>Eins.</x:target></x:segment>
      <x:ignorable><x:source> </x:source></x:ignorable>
      <x:segment><x:source>Two.</x:source><x:target><![CDATA[Zwei]]>.</x:target></x:segment>
    </x:unit></x:group></x:file></x:xliff>`;
  expect(write(content, { file: { format: 'xliff', content: xliff } })).toEqual({
    content:
      '{"subject":"One. Two.","translations":{"de":{"subject":{"text":"Eins. Zwei.","source":"One. Two."}}}}',
  });
});

const unit = (target: string) =>
  `<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u" name="subject"><segment><source>One</source>${target}</segment></unit></file></xliff>`;
it.each([
  ['csv', 'id,source\nsubject,One', /columns id, source, text; it has no text/],
  ['csv', 'id,source,text\n"subject', /Quote/],
  ['xliff', '<html></html>', /must be XLIFF 2\.0/],
  ['xliff', '<xliff version="1.2"></xliff>', /must be XLIFF 2\.0/],
  ['xliff', '<xliff version="2.0"><file>', /./],
  ['xliff', '<!DOCTYPE x [<!ENTITY a "b">]><xliff version="2.0"/>', /document type/],
  ['xliff', unit('<target/>').replace('"de"', '"fr"'), /into fr, not de/],
  ['xliff', unit('<target>Ein <pc id="1">s</pc></target>'), /must be escaped/],
] as const)('refuses the %s file %j', (format, content, message) => {
  const written = write(JSON.stringify({ subject: 'One' }), { file: { format, content } });
  expect(written).toEqual({
    problems: [{ path: expect.any(String), message: expect.stringMatching(message) }],
  });
});

it('keeps half of a translation out of the document', () => {
  const content = JSON.stringify({ subject: 'One. Two.' });
  const second = '<segment><source>Two.</source></segment>';
  const file = unit('<target>Eins. </target>').replace('>One<', '>One. <');
  const xliff = file.replace('</segment>', `</segment>${second}`);
  expect(write(content, { file: { format: 'xliff', content: xliff } })).toEqual({ content });
});

it('reads letters that a tool has written as numbers', () => {
  const content = JSON.stringify({ stripes: [{ id: "it's", props: { content: 'It’s' } }] });
  const [text] = read(content);
  const xliff = file(content, 'xliff').replace(
    'It’s</source>',
    'It&#8217;s</source><target>&#xE9;</target>',
  );
  const written = write(content, { file: { format: 'xliff', content: xliff } });
  expect([text?.id, (written as { content: string }).content]).toEqual([
    "it's/content",
    expect.stringContaining('"text":"é"'),
  ]);
});

it('an outdated translation stays outdated until somebody changes it', () => {
  const translations = { de: { subject: { text: 'Alt', source: 'Old' } } };
  const content = JSON.stringify({ subject: 'New', translations });
  for (const format of ['xliff', 'csv'] as const) {
    const unchanged = { format, content: file(content, format) };
    expect(write(content, { file: unchanged })).toEqual({ content });
  }
});

it('the last of several members with one name gets the translation', () => {
  const content = '{"stripes":[{"props":{"content":"A"}}],"stripes":[{"props":{"content":"B"}}]}';
  const texts = [{ id: '/stripes/0/content', text: 'C' }];
  const written = write(content, { texts }) as { content: string };
  expect(read(written.content)).toMatchObject([{ source: 'B', text: 'C' }]);
});

it('takes time and memory in proportion to the document', () => {
  const blocks = Array.from({ length: 3_000 }, (_, at) => ({ props: { content: `Text ${at}` } }));
  const content = JSON.stringify({ stripes: [{ containers: [{ blocks }] }] });
  const texts = read(content).map(({ id }) => ({ id, text: 'x' }));
  expect(write(content, { texts })).toHaveProperty('content');
  const long = { id: 'x'.repeat(90), props: { items: Array<string>(200_000).fill('a') } };
  expect(
    exchange({ action: 'read', content: JSON.stringify({ stripes: [long] }), language: 'de' }),
  ).toHaveProperty('reason');
});
