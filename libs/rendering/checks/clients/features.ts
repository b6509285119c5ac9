import { objectIn, textIn, type DocumentNode } from '../../document/index.js';
import type { Email } from '../email/email.js';
import type { Found } from '../rule.js';

type Place = Found['place'];

/** A feature of an email that some mail clients do not support. */
export interface Feature {
  /** The name of the feature on caniemail.com. */
  slug: string;
  /**
   * The name in messages. The name of a style begins a sentence; the name of an image format follows `Pictures in the`.
   */
  name: string;
  kind: 'style' | 'picture';
  usedAt: (email: Email) => Iterable<Place>;
}

/**
 * Finds the nodes that set a CSS property to a matching value, in an attribute or in the inline styles of rich text. By
 * default, every value except 0 matches.
 */
function styled(property: string, value = /^(?!0(?:px|%)?$)[^]/) {
  return function* ({ nodes, texts }: Email): Generator<Place> {
    for (const place of nodes) {
      const text = textIn(propertiesOf(place.node), property);
      if (text !== undefined && value.test(text.trim())) yield place;
    }
    for (const { place, rich } of texts) {
      const isUsed = rich.declarations.some(
        ([name, text]) => name === property && value.test(text),
      );
      if (isUsed) yield place;
    }
  };
}

/** Stripes and containers store their properties in `styles`, blocks in `props`. */
const propertiesOf = (node: DocumentNode): DocumentNode =>
  objectIn(node, 'props' in node ? 'props' : 'styles');

/**
 * Finds the nodes that set any CSS property to a matching value, in an attribute or in the inline styles of rich text.
 */
function valued(value: RegExp) {
  return function* ({ nodes, texts }: Email): Generator<Place> {
    for (const place of nodes) {
      const values = Object.entries(propertiesOf(place.node));
      const isUsed = values.some(
        ([name, text]) =>
          name !== 'content' && typeof text === 'string' && isShort(text) && value.test(text),
      );
      if (isUsed) yield place;
    }
    for (const { place, rich } of texts) {
      if (rich.declarations.some(([, text]) => isShort(text) && value.test(text))) yield place;
    }
  };
}

// Longer values are not drawn, so they do not become CSS.
const isShort = ({ length }: string): boolean => length <= 200;

/** Finds the images whose URL path has a matching file extension. */
function picture(ending: RegExp) {
  return function* ({ images }: Email): Generator<Place> {
    for (const { place, src = '' } of images) {
      const [path = ''] = src.split(/[?#]/, 1);
      if (ending.test(path.slice(-10))) yield place;
    }
  };
}

function* anchors({ links }: Email): Generator<Place> {
  for (const { place, href = '' } of links) if (/^#./.test(href)) yield place;
}

function* accordions({ nodes }: Email): Generator<Place> {
  for (const place of nodes) if (place.node['type'] === 'accordion') yield place;
}

export const features: readonly Feature[] = [
  {
    slug: 'css-border-radius',
    name: 'The property border-radius',
    kind: 'style',
    usedAt: styled('border-radius'),
  },
  {
    slug: 'css-white-space',
    name: 'The property white-space',
    kind: 'style',
    usedAt: styled('white-space'),
  },
  { slug: 'css-rgba', name: 'A transparent colour', kind: 'style', usedAt: valued(/rgba\(/i) },
  { slug: 'css-unit-rem', name: 'The unit rem', kind: 'style', usedAt: valued(/\drem\b/i) },
  { slug: 'css-unit-vw', name: 'The unit vw', kind: 'style', usedAt: valued(/\dvw\b/i) },
  {
    slug: 'html-anchor-links',
    name: 'A link to another place in the email',
    kind: 'style',
    usedAt: anchors,
  },
  {
    slug: 'css-pseudo-class-checked',
    name: 'Closing the texts of an accordion',
    kind: 'style',
    usedAt: accordions,
  },
  { slug: 'image-webp', name: 'WebP', kind: 'picture', usedAt: picture(/\.webp$/i) },
  { slug: 'image-svg', name: 'SVG', kind: 'picture', usedAt: picture(/\.svg$/i) },
  { slug: 'image-avif', name: 'AVIF', kind: 'picture', usedAt: picture(/\.avif$/i) },
  { slug: 'image-apng', name: 'APNG', kind: 'picture', usedAt: picture(/\.apng$/i) },
  { slug: 'image-bmp', name: 'BMP', kind: 'picture', usedAt: picture(/\.bmp$/i) },
  { slug: 'image-tiff', name: 'TIFF', kind: 'picture', usedAt: picture(/\.tiff?$/i) },
  { slug: 'image-heif', name: 'HEIF', kind: 'picture', usedAt: picture(/\.hei[cf]$/i) },
];
