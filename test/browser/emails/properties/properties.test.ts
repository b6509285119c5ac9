import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { render, type EmailDocument } from '#client';
import type { Client } from '../../../support/api/client.js';
import { clientFor } from '../../support/stack.js';
import { useBrowser, Visitor } from '../../support/visitor.js';
import { propertiesIn, valuesOf } from './document-schema.js';
import { compareParts, describeDifference } from './effects.js';
import { nodeKinds, requirements, type NodeKind } from './nodes.js';

const PAGE = 'docs/use/properties.md';
const IS_GENERATED = process.env['GENERATE'] === 'true';

let ada: Visitor;
let client: Client['generated'];

useBrowser();
beforeAll(async () => {
  client = (await clientFor('ada@example.com')).generated;
  ada = await Visitor.arrive();
  await ada.page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(PIXEL, 'base64') }),
  );
});

// A transparent picture of one pixel.
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Member = 'styles' | 'props' | 'own' | 'mobile' | 'dark' | 'hover';

/** A property with one of its values. */
interface Variant {
  name: string;
  value: unknown;
  isDeprecated: boolean;
  /** The default. */
  standard: unknown;
}

const variantsIn = ({ definition }: NodeKind, member: Member): Variant[] =>
  Object.entries(propertiesIn(definition, member)).flatMap(([name, schema]) =>
    valuesOf(name, schema).map((value) => ({
      name,
      value,
      isDeprecated: schema.deprecated === true,
      standard: schema.default,
    })),
  );

/** Draws each variant, and the same node without the property, in wrappers with the classes that `compareParts` expects. */
function documentOf(kind: NodeKind, member: Member, variants: readonly Variant[]): EmailDocument {
  const wrap = (className: string, stripe: object) => ({
    type: 'wrapper',
    styles: { 'css-class': className },
    stripes: [stripe],
  });
  const stripes = variants.flatMap(({ name, value }, index) => {
    const own = { ...kind.base, ...requirements[name] };
    const isOwn = member === kind.member;
    const changed = isOwn
      ? { [member]: { ...own, [name]: value } }
      : { [kind.member]: own, [member]: { [name]: value } };
    return [
      wrap(`reference-${index}`, kind.stripeWith({ [kind.member]: own })),
      wrap(`variant-${index}`, kind.stripeWith(changed)),
    ];
  });
  return { stripes } as unknown as EmailDocument;
}

/** What each property changes, by name: a description, a warning, or undefined if nothing changes. */
type Effects = Map<string, { value: unknown; standard: unknown; effect: string | undefined }>;

async function effectsOf(kind: NodeKind, member: Member): Promise<Effects> {
  const variants = variantsIn(kind, member);
  const content = documentOf(kind, member, variants);
  const { data } = await render({ client, body: { content } });
  const { page } = ada;
  await page.setViewportSize({ width: member === 'mobile' ? 400 : 800, height: 800 });
  await page.emulateMedia({ colorScheme: member === 'dark' ? 'dark' : 'light' });
  await page.setContent(data.html ?? '');
  if (member === 'hover') await forceHover();
  const differences = await compareParts(page, variants.length);
  const effects: Effects = new Map();
  for (const [index, { name, value, standard, isDeprecated }] of variants.entries()) {
    const difference = differences[index];
    const place = `/stripes/${2 * index + 1}/`;
    const isWarned = data.warnings.some(({ path }) => path.startsWith(place));
    const effect =
      isWarned && isDeprecated ? 'nothing' : difference && describeDifference(name, difference);
    // A value that is the default changes nothing, so the property has several values.
    if (effects.get(name)?.effect === undefined) effects.set(name, { value, standard, effect });
  }
  return effects;
}

/** Makes the rules for the mouse apply to all buttons, because there is only one mouse. */
async function forceHover(): Promise<void> {
  await ada.page.evaluate(`for (const style of document.querySelectorAll('style')) {
    style.textContent = style.textContent.replaceAll(':hover', '');
  }`);
}

const MEMBERS: Member[] = ['mobile', 'dark', 'hover'];
const sections: string[] = [];

const valueText = (value: unknown) =>
  '`' + (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('|', '\\|') + '`';

/** Writes the tables of a node. */
function addSection(title: string, own: Effects, others: Map<Member, Effects>): void {
  const rows = [...own].map(
    ([name, { value, standard = '', effect }]) =>
      `| \`${name}\` | ${standard === '' ? '' : valueText(standard)} | ${valueText(value)} | ${effect ?? ''} |`,
  );
  const lists = [...others].flatMap(([member, effects]) =>
    effects.size === 0
      ? []
      : [`\`${member}\`: ${[...effects.keys()].map((name) => `\`${name}\``).join(', ')}`],
  );
  sections.push(
    [
      `## ${title}`,
      '',
      '| property | default | such as | changes |',
      '| --- | --- | --- | --- |',
      ...rows,
      '',
      ...lists.map((list) => `- ${list}`),
      '',
    ].join('\n'),
  );
}

describe.each(Object.entries(nodeKinds))('a %s', (title, kind) => {
  it('is changed by each property of the schema, or the property has a warning', async () => {
    const own = await effectsOf(kind, kind.member);
    const others = new Map<Member, Effects>();
    if (kind.member !== 'own') {
      for (const member of MEMBERS) others.set(member, await effectsOf(kind, member));
    }
    addSection(title.charAt(0).toUpperCase() + title.slice(1), own, others);
    const withoutEffect = [...new Map([[kind.member, own], ...others])].flatMap(
      ([member, effects]) =>
        [...effects].flatMap(([name, { effect }]) =>
          effect === undefined ? [`${member} ${name}`] : [],
        ),
    );
    expect(withoutEffect).toEqual([]);
    expect(own.size).toBeGreaterThan(0);
  });
});

it('the table of the properties is current (if not: GENERATE=true npm run test:browser)', async () => {
  const text = [INTRODUCTION, ...sections].join('\n');
  const page = await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' });
  if (IS_GENERATED) writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

const INTRODUCTION = `# Properties of nodes

All properties that the [schema of documents](../schemas/document-1.json) has, with the style that a browser computes differently, or the attribute of the HTML that changes. A test draws each property in a browser and writes this page. [Rendering](rendering.md) says what the nodes are.

\`mobile\` has the properties that may differ in narrow windows, \`dark\` those in dark mode, and \`hover\` those under the mouse.

Some properties need a word:

- \`padding\` of a node replaces all sides, also those that the document sets for its kind. \`padding-left\` and the others change one side.
- The \`width\` of a container or column is in pixels or percent. Columns that set none share the rest.
- \`gutter\` is a space between the columns of a row, and \`gap\` one between the stripes of a wrapper. Columns that are stacked have no gutter.
- \`full-width\` extends the background of a stripe to the edges of the window.
- A background picture of a hero covers it. That of a stripe has the \`background-size\`.
- \`cell-padding\` and \`row-border\` style the rows of a table. \`cellpadding\`, in pixels, removes the lines between them.
- An empty \`alt\` says that a picture only decorates.
`;
