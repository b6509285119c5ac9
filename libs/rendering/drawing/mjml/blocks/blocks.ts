import { isAllowed } from '../attribute-values.js';
import { drawAccordion } from './accordion.js';
import {
  blockForms,
  DEFAULT_LEVEL,
  elementsOf,
  isBlockType,
  isLevel,
  isText,
  kindsOf,
  pick,
  richTextOf,
  styleBlock,
  type Block,
  type BlockType,
} from './block.js';
import {
  escapeText,
  inherit,
  missingModule,
  objectIn,
  textIn,
  textStyleNames,
  type DocumentNode,
  type Place,
  type TextStyles,
} from '../../../document/index.js';
import type { Surroundings } from '../styles.js';
import { drawMenu, drawSocial } from './links.js';
import type { MjmlNode } from '../mjml-node.js';
import { safeHtml } from '../rich-text.js';
import { drawTable } from './table.js';
import {
  darkInside,
  hasOverrides,
  NONE,
  readOverrides,
  withOverrides,
  type Overrides,
} from '../overrides/overrides.js';

/** Functions that draw blocks, by block type. */
const drawers: Record<BlockType, (block: Block) => MjmlNode> = {
  text: drawText,
  heading: drawHeading,
  list: drawList,
  html: drawHtml,
  raw: drawHtml,
  image: (block) => drawEmpty(block, 'image'),
  divider: (block) => drawEmpty(block, 'divider'),
  spacer: (block) => drawEmpty(block, 'spacer'),
  button: drawButton,
  video: drawVideo,
  countdown: (block) => drawEmpty(block, 'countdown'),
  table: drawTable,
  accordion: drawAccordion,
  social: drawSocial,
  menu: drawMenu,
  navbar: drawMenu,
};

const MISSING_MODULE: MjmlNode = {
  tagName: 'mj-raw',
  content: '<!-- Left out: a module that could not be inserted -->',
};

/** The block types that Galley draws, except columns. */
export const blockTypeNames = Object.keys(blockForms);

/** Draws a block. A block of an unknown type becomes a comment. */
export function drawBlock(outer: Surroundings, place: Place): MjmlNode[] {
  const { drawing } = outer;
  if (missingModule(place.node)) return [MISSING_MODULE];
  const type = textIn(place.node, 'type') ?? '';
  if (isBlockType(type)) {
    const block = { ...outer, place, props: objectIn(place.node, 'props') };
    const element = drawers[type](block);
    return withOverrides(drawing, place, element, overridesOf(block, type));
  }
  const what = type === '' ? 'A block without a type' : `A block of the unknown type ${type}`;
  return [drawing.leaveOut(place, what)];
}

const isAuto = (height: unknown): boolean => !height || height === 'auto';

// The picture of a video is 16 to 9 on a phone of common width, with the default padding.
const PHONE_VIDEO_HEIGHT = '50vw';

/** The overrides of a block, with those that it inherits. */
export function overridesOf(block: Block, type: BlockType): Overrides {
  const { document, place, props } = block;
  const { tagName, inherits } = blockForms[type];
  const isImage = tagName === 'mj-image';
  const inheritsDark = Object.keys(block.dark).length > 0;
  if (!isImage && !inheritsDark && !hasOverrides(document, place)) return NONE;
  const kinds = kindsOf(type, props);
  const near = { ...pick(block.inherited, inherits), ...props };
  const { mobile, dark, hover } = readOverrides(block, place, tagName, near, kinds);
  const ofDocument = kinds.map((kind) => document.own[kind] ?? {});
  const light = Object.assign({}, ...ofDocument, props) as DocumentNode;
  // An image without a width fills its column in wide windows, so it also fills a column that is stacked.
  const fills = isImage && !light['width'];
  const inheritsColours = (inherits as readonly string[]).includes('color');
  const { color, 'link-color': linkColor } = inherit(
    { ...document.text, ...block.inherited },
    pick(light as Partial<TextStyles>, textStyleNames),
  );
  return {
    mobile: {
      ...(fills && { width: '100%' }),
      ...(fills &&
        hasPlayButton(props) &&
        isAuto(light['height']) && { height: PHONE_VIDEO_HEIGHT }),
      ...mobile,
    },
    dark: { ...dark, ...(inheritsColours && darkInside(block, dark, light).dark) },
    hover,
    linkColor: tagName === 'mj-navbar' || tagName === 'mj-social' ? color : linkColor,
  };
}

function drawText(block: Block): MjmlNode {
  const { attributes, textStyle } = styleBlock(block, 'text');
  const content = richTextOf(block, 'content', block.props['content'], textStyle);
  return { tagName: 'mj-text', attributes, content };
}

function drawHeading(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const level = drawing.valueOr(DEFAULT_LEVEL, place, 'level', props['level'], isLevel);
  const { attributes, textStyle } = styleBlock(block, 'heading');
  // Browsers have default sizes and margins for headings, and Outlook on Windows does not know `inherit`.
  const style = ['font-size', 'font-weight', 'line-height']
    .map((name) => `;${name}:${attributes[name]}`)
    .join('');
  const text = richTextOf(block, 'content', props['content'], textStyle);
  const content = `<h${level} style="margin:0${style}">${text}</h${level}>`;
  return { tagName: 'mj-text', attributes, content };
}

function drawList(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { attributes, textStyle } = styleBlock(block, 'list');
  const tag = drawing.valueOr(false, place, 'ordered', props['ordered'], isBoolean) ? 'ol' : 'ul';
  const items = elementsOf(
    block,
    'items',
    'content',
    (item) => `<li>${richTextOf(block, 'items', item, textStyle)}</li>`,
  );
  const padding = drawing.direction === 'rtl' ? '0 24px 0 0' : '0 0 0 24px';
  const content = `<${tag} style="margin:0;padding:${padding}">${items}</${tag}>`;
  return { tagName: 'mj-text', attributes, content };
}

function drawHtml(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { attributes, textStyle } = styleBlock(block, 'html');
  const html = String(drawing.valueOr('', place, 'content', props['content'], isText));
  return { tagName: 'mj-text', attributes, content: safeHtml(html, textStyle) };
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

const drawEmpty = (block: Block, type: BlockType) => ({
  tagName: blockForms[type].tagName,
  attributes: styleBlock(block, type).attributes,
});

function drawButton(block: Block): MjmlNode {
  const { attributes } = styleBlock(block, 'button');
  const content = richTextOf(block, 'content', block.props['content']);
  return { tagName: 'mj-button', attributes, content };
}

/** Mail clients do not play videos, so Galley draws an image (`poster`) that links to the video (`src`). */
function drawVideo(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { src = '', poster = '', href = '', ...others } = props;
  if (href !== '') drawing.warn(place, 'href: not a property of this node.');
  const image = drawEmpty({ ...block, props: { ...others, href: src, src: poster } }, 'video');
  // Editors store empty values for properties that are not set.
  const wanted = props['play-button'] || undefined;
  if (!drawing.valueOr(false, place, 'play-button', wanted, isBoolean)) return image;
  const { src: dark } = objectIn(place.node, 'dark');
  if (!hasPlayButton(props)) {
    drawing.warn(
      place,
      'play-button is left out: the poster is missing, or has merge tags, quotes or brackets.',
    );
    return image;
  }
  if (dark !== undefined && !isPoster(dark)) {
    drawing.warn(
      place,
      'play-button is left out in dark mode: the picture has merge tags, quotes or brackets.',
    );
  }
  drawing.needsOwnComponents = true;
  const icon = escapeText(drawing.iconUrl('play'));
  return { ...image, attributes: { ...image.attributes, 'play-button': icon } };
}

/** The poster of a video with a play button is a background, whose URL must not have some characters. */
const hasPlayButton = (props: DocumentNode): boolean =>
  props['play-button'] === true && isPoster(props['poster']);

const isPoster = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && isAllowed('background-url', value.trim());
