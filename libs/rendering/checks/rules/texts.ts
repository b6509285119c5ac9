import { objectIn, textIn, type Attributes } from '../../document/index.js';
import { isHidden, pixelsIn } from '../email/text-style.js';
import { TAG } from '../../personalisation/index.js';
import { defineRules } from '../rule.js';

const MIN_FONT_SIZE = 12;
// WCAG 2.2, success criterion 2.5.8.
const MIN_TARGET_SIZE = 24;
const MJML_PADDING_OF_ICONS = '4px';
const MAX_PARAGRAPH_LENGTH = 800;
const MIN_CAPITALS = 20;
const TEXT_TYPES = new Set(['text', 'heading', 'list', 'button']);
const GENERIC_FONT =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|inherit|initial|unset)$/i;
const TAG_NAME = /<([a-z][a-z\d]{0,20})/gi;
const MAX_NAMES = 5;

export const textRules = defineRules([
  {
    name: 'text-empty',
    severity: 'warning',
    help: 'Add text, or remove the block.',
    *find({ texts }) {
      for (const { place, type, rich } of texts) {
        const isEmpty = rich.text === '' && rich.pictures.length === 0;
        if (isEmpty && TEXT_TYPES.has(type)) {
          yield { place, message: `The ${type} block has no text.` };
        }
      }
    },
  },
  {
    name: 'text-small',
    severity: 'warning',
    help: `Use a font size of at least ${MIN_FONT_SIZE}px. Smaller text is hard to read on phones.`,
    *find({ texts }) {
      for (const { place, rich } of texts) {
        const shown = rich.runs.filter(({ style }) => !isHidden(style));
        const sizes = shown.map(({ style }) => style.fontSize ?? MIN_FONT_SIZE);
        const least = sizes.reduce((one, other) => Math.min(one, other), MIN_FONT_SIZE);
        if (least < MIN_FONT_SIZE) {
          yield { place, message: `The text has a font size of ${least}px.` };
        }
      }
    },
  },
  {
    name: 'text-capitals',
    severity: 'info',
    help: 'Write in upper and lower case. Some screen readers spell out text in capitals, and spam filters distrust it.',
    *find({ texts }) {
      for (const { place, rich } of texts) {
        if (rich.paragraphs.some((paragraph) => isInCapitals(paragraph.replace(TAG, '')))) {
          yield { place, message: 'The text is written in capitals.' };
        }
      }
    },
  },
  {
    name: 'paragraph-long',
    severity: 'info',
    help: 'Split the paragraph. Most readers only skim emails.',
    *find({ texts }) {
      for (const { place, rich } of texts) {
        const long = rich.paragraphs.find(({ length }) => length > MAX_PARAGRAPH_LENGTH);
        if (long !== undefined) {
          yield { place, message: `A paragraph has ${long.length} characters.` };
        }
      }
    },
  },
  {
    name: 'markup-removed',
    severity: 'warning',
    help: 'Remove these tags, or use a block that does the same. Mail clients do not run scripts, and many do not show forms.',
    *find({ texts }) {
      for (const { place, source, rich } of texts) {
        const names = new Set<string>();
        for (const [, name = ''] of source.replace(TAG, '').matchAll(TAG_NAME))
          names.add(name.toLowerCase());
        const removed = [...names].filter((name) => !rich.tags.has(name));
        if (removed.length === 0) continue;
        const listed = removed.slice(0, MAX_NAMES).map((name) => `<${name}>`);
        yield { place, message: `These tags are left out of the email: ${listed.join(', ')}.` };
      }
    },
  },
  {
    name: 'font-without-fallback',
    severity: 'info',
    help: 'End the list of fonts with a generic font: serif, sans-serif or monospace. Most mail clients do not load web fonts.',
    *find({ document, blocks, texts }) {
      const seen = new Set<string>();
      const fonts = [
        { place: document, value: textIn(objectIn(document.node, 'styles'), 'fontFamily') },
        ...blocks.map((place) => ({
          place,
          value: textIn(objectIn(place.node, 'props'), 'font-family'),
        })),
        ...texts.flatMap(({ place, rich }) =>
          rich.declarations
            .filter(([property]) => property === 'font-family')
            .map(([, value]) => ({ place, value })),
        ),
      ];
      for (const { place, value = '' } of fonts) {
        if (value === '' || seen.has(value)) continue;
        seen.add(value);
        const last = value.slice(value.lastIndexOf(',') + 1).trim();
        if (GENERIC_FONT.test(last)) continue;
        yield {
          place,
          message: `The list of fonts "${value.slice(0, 100)}" does not end with a generic font.`,
        };
      }
    },
  },
  {
    name: 'tap-target-small',
    severity: 'warning',
    help: `Increase \`inner-padding\`, \`icon-size\` or \`height\`. Links should be at least ${MIN_TARGET_SIZE} pixels high, and preferably 44, so that they are easy to tap.`,
    *find({ properties }) {
      for (const [place, ofBlock] of properties) {
        const height = targetHeightOf(textIn(place.node, 'type'), ofBlock);
        if (height !== undefined && height < MIN_TARGET_SIZE) {
          yield {
            place,
            message: `The links in this block are only ${Math.floor(height)} pixels high.`,
          };
        }
      }
    },
  },
]);

function isInCapitals(text: string): boolean {
  const letters = text.replace(/\P{Letter}/gu, '');
  return (
    letters.length >= MIN_CAPITALS &&
    letters === letters.toUpperCase() &&
    letters !== letters.toLowerCase()
  );
}

/** The height of the tap target in pixels; undefined if the height is unknown. */
function targetHeightOf(type: string | undefined, properties: Attributes): number | undefined {
  const padding = paddingIn(properties['inner-padding'] ?? MJML_PADDING_OF_ICONS);
  if (type === 'social') return sumOf(pixelsIn(properties['icon-size']), padding);
  if (type !== 'button') return undefined;
  const height = pixelsIn(properties['height']);
  if (height !== undefined) return height;
  const size = pixelsIn(properties['font-size']);
  return sumOf(lineHeightIn(properties['line-height'] ?? '', size), padding);
}

const sumOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

function lineHeightIn(value: string, fontSize: number | undefined): number | undefined {
  const [, number, unit] = /^\s*(\d{1,4}(?:\.\d{1,4})?)\s*(px|%)?\s*$/.exec(value) ?? [];
  if (number === undefined || unit === 'px' || fontSize === undefined) return pixelsIn(value);
  return (Number(number) * fontSize) / (unit === '%' ? 100 : 1);
}

/** The sum of the padding above and below. */
function paddingIn(value: string): number | undefined {
  const [top, , bottom = top] = value
    .trim()
    .split(/\s+/, 4)
    .map((part) => (part === '0' ? 0 : pixelsIn(part)));
  return sumOf(top, bottom);
}
