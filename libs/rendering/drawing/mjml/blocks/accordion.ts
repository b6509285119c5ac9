import { attributesExcept, attributesOf } from '../attributes.js';
import { escapeText } from '../../../document/index.js';
import type { MjmlNode } from '../mjml-node.js';
import { pick, richTextOf, styleBlock, TEXT, type Block } from './block.js';

const ELEMENT = 'mj-accordion-element';
const MEMBERS = ['title', 'content', 'condition', 'repeat'];
// MJML needs as much time for an element as for five other nodes.
const NODES_OF_ELEMENT = 5;
// The HTML of an element without its texts and icons.
const CHARACTERS_OF_ELEMENT = 1_700;
const TITLE = ['font-family', 'font-size', 'color'] as const;

/** Draws texts that a reader opens by their titles. Mail clients that cannot close a text show all texts. */
export function drawAccordion(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { attributes, properties, textStyle } = styleBlock(block, 'accordion');
  const icons = {
    ...(properties['icon-wrapped-url'] === undefined && {
      'icon-wrapped-url': escapeText(drawing.iconUrl('expand')),
    }),
    ...(properties['icon-unwrapped-url'] === undefined && {
      'icon-unwrapped-url': escapeText(drawing.iconUrl('collapse')),
    }),
  };
  const copied = Object.entries({ ...properties, ...icons })
    .filter(([name]) => name.startsWith('icon-'))
    .reduce((sum, [, { length }]) => sum + length, CHARACTERS_OF_ELEMENT);
  const list = { node: props, path: `${place.path}/props` };
  const elements = drawing.placesIn(list, 'elements');
  drawing.countNodes(elements.length * (NODES_OF_ELEMENT - 1));
  const children = elements.flatMap((element) => {
    drawing.countCharacters(copied);
    attributesOf(drawing, element, element.node, ELEMENT, MEMBERS, attributesExcept(ELEMENT, []));
    const text = (member: string) => {
      const html = richTextOf({ drawing, place: element }, member, element.node[member], textStyle);
      // MJML's accordion has no alignment of its own.
      return drawing.direction === 'rtl' ? `<div style="text-align:right">${html}</div>` : html;
    };
    return drawing.mark(element, [
      {
        tagName: ELEMENT,
        children: [
          {
            tagName: 'mj-accordion-title',
            attributes: pick(properties, TITLE),
            content: text('title'),
          },
          {
            tagName: 'mj-accordion-text',
            attributes: pick(properties, TEXT),
            content: text('content'),
          },
        ],
      },
    ]);
  });
  const ofAccordion = Object.entries({
    ...attributes,
    ...icons,
    ...sideOfIcons(block, properties),
  });
  const others = ofAccordion.filter(([name]) => name === 'font-family' || !isOfTexts(name));
  return { tagName: 'mj-accordion', attributes: Object.fromEntries(others), children };
}

const isOfTexts = (name: string): boolean => (TEXT as readonly string[]).includes(name);

/** In a table from right to left, the first cell is at the right, but MJML puts the icon of the left side first. */
function sideOfIcons(
  { drawing }: Block,
  { 'icon-position': side = 'right' }: Readonly<Record<string, string>>,
): Record<string, string> {
  if (drawing.direction === 'ltr') return {};
  return { 'icon-position': side === 'right' ? 'left' : 'right' };
}
