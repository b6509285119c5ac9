import { escapeText, type Attributes } from '../../../document/index.js';
import type { MjmlNode } from '../mjml-node.js';
import { pick, richTextOf, styleBlock, TEXT, type Block } from './block.js';

/** Draws texts that a reader opens by their titles. Mail clients that cannot close a text show all texts. */
export function drawAccordion(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { attributes, properties, textStyle } = styleBlock(block, 'accordion');
  const { 'line-height': lineHeight, ...ofTitle } = pick(properties, TEXT) as Attributes;
  const ofText = { ...ofTitle, ...(lineHeight !== undefined && { 'line-height': lineHeight }) };
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'elements').flatMap((element) => {
    const text = (member: string) =>
      richTextOf({ drawing, place: element }, member, element.node[member], textStyle);
    return drawing.mark(element, [
      {
        tagName: 'mj-accordion-element',
        children: [
          { tagName: 'mj-accordion-title', attributes: ofTitle, content: text('title') },
          { tagName: 'mj-accordion-text', attributes: ofText, content: text('content') },
        ],
      },
    ]);
  });
  const icons = {
    ...(attributes['icon-wrapped-url'] === undefined && {
      'icon-wrapped-url': escapeText(drawing.iconUrl('expand')),
    }),
    ...(attributes['icon-unwrapped-url'] === undefined && {
      'icon-unwrapped-url': escapeText(drawing.iconUrl('collapse')),
    }),
  };
  const { color, 'font-size': size, 'line-height': line, ...ofAccordion } = attributes;
  return { tagName: 'mj-accordion', attributes: { ...ofAccordion, ...icons }, children };
}
