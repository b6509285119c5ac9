import { attributesOf } from './attributes.js';
import {
  DEFAULT_BACKGROUND,
  escapeText,
  isObject,
  objectIn,
  textIn,
  Undrawable,
  type DocumentNode,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import type { StyleSheet } from './overrides/style-sheet.js';
import { attributesOfElements } from './default-attributes.js';
import { drawStripes } from './stripes.js';
import { readStyles } from './styles.js';
import { visibilityStyle } from './overrides/visibility.js';

/** @throws Undrawable for a document without stripes, such as a document from another editor. */
export function requireDrawable(document: unknown): DocumentNode {
  if (isObject(document) && Array.isArray(document['stripes'])) return document;
  throw new Undrawable('it has no stripes array.');
}

/**
 * Draws a document as MJML.
 *
 * @param defaultTitle the title to use if the document has none.
 */
export function drawDocument(
  drawing: Drawing,
  document: DocumentNode,
  defaultTitle: string,
): MjmlNode {
  const place = { node: document, path: '' };
  const styles = readStyles(drawing, document);
  const stripes = drawStripes(
    {
      drawing,
      document: styles,
      inherited: {},
      dark: styles.dark.text,
      staysLight: false,
      width: styles.width,
    },
    place,
  );
  if (styles.dark.background !== undefined) {
    const declarations = [`background-color:${styles.dark.background}`];
    drawing.styleSheet.add('dark', ['body', 'body>div'], declarations);
  }
  const { html: fonts } = drawing.fonts;
  return {
    tagName: 'mjml',
    attributes: {
      lang: escapeText(textIn(document, 'language') ?? 'und'),
      dir: drawing.direction,
    },
    children: [
      {
        tagName: 'mj-head',
        children: [
          ...headOf(document, defaultTitle),
          ...(fonts === undefined ? [] : [{ tagName: 'mj-raw', content: fonts }]),
          attributesOfElements(drawing, styles, stripes),
          ...(drawing.usesVisibility ? [visibilityStyle] : []),
          ...styleSheetsOf(drawing.styleSheet),
        ],
      },
      {
        tagName: 'mj-body',
        attributes: bodyAttributes(drawing, document, styles.width),
        children: stripes,
      },
    ],
  };
}

function headOf(document: DocumentNode, defaultTitle: string): MjmlNode[] {
  const title = textIn(document, 'title') ?? defaultTitle;
  const preheader = textIn(document, 'preheader');
  return [
    { tagName: 'mj-title', content: escapeText(title) },
    ...(preheader === undefined ? [] : [{ tagName: 'mj-preview', content: escapeText(preheader) }]),
  ];
}

function styleSheetsOf(sheet: StyleSheet): MjmlNode[] {
  const { css, darkCss, isForDarkMode } = sheet;
  return [
    ...(css === '' ? [] : [{ tagName: 'mj-style', content: css }]),
    ...(isForDarkMode
      ? [
          {
            tagName: 'mj-raw',
            content: `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>${darkCss}</style>`,
          },
        ]
      : []),
  ];
}

function bodyAttributes(
  drawing: Drawing,
  document: DocumentNode,
  width: number,
): Record<string, string> {
  const { backgroundColor } = objectIn(document, 'styles');
  const place = { node: {}, path: '/styles' };
  const background = { 'background-color': backgroundColor ?? '' };
  return {
    width: `${Math.round(width)}px`,
    'background-color': DEFAULT_BACKGROUND,
    ...attributesOf(drawing, place, background, 'mj-body'),
  };
}
