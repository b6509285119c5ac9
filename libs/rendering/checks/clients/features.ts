import { objectIn, textIn, type DocumentNode } from '../../document/index.js';
import type { Email } from '../email/email.js';
import type { Found } from '../rule.js';

type Place = Found['place'];

/** Something in an email that some mail clients do not support. */
export interface Feature {
  /** The name that caniemail.com has for the feature. */
  slug: string;
  /** The name in messages: for a style the subject of a sentence, for a picture the name of its format. */
  name: string;
  kind: 'style' | 'picture';
  /** The places that use it. */
  usedAt: (email: Email) => Iterable<Place>;
}

/** Places where the document sets a property of CSS to a value, in an attribute or in a text. */
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

/** Stripes and containers have their properties in `styles`, blocks in `props`. */
const propertiesOf = (node: DocumentNode): DocumentNode =>
  objectIn(node, 'props' in node ? 'props' : 'styles');

/** Places where any property of CSS has such a value, in an attribute or in a text. */
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

// Longer values do not become CSS.
const isShort = ({ length }: string): boolean => length <= 200;

/** Places of pictures whose address ends like this. */
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
  { slug: 'html-anchor-links', name: 'A link inside of the email', kind: 'style', usedAt: anchors },
  { slug: 'image-webp', name: 'WebP', kind: 'picture', usedAt: picture(/\.webp$/i) },
  { slug: 'image-svg', name: 'SVG', kind: 'picture', usedAt: picture(/\.svg$/i) },
  { slug: 'image-avif', name: 'AVIF', kind: 'picture', usedAt: picture(/\.avif$/i) },
  { slug: 'image-apng', name: 'APNG', kind: 'picture', usedAt: picture(/\.apng$/i) },
  { slug: 'image-bmp', name: 'BMP', kind: 'picture', usedAt: picture(/\.bmp$/i) },
  { slug: 'image-tiff', name: 'TIFF', kind: 'picture', usedAt: picture(/\.tiff?$/i) },
  { slug: 'image-heif', name: 'HEIF', kind: 'picture', usedAt: picture(/\.hei[cf]$/i) },
];
