import type { Email } from '../email/email.js';
import { defineRules } from '../rule.js';
import { hasMergeTag } from './merge-tags.js';

const FILE_NAME =
  /^(?:[\w%~ .()-]{1,200}\.(?:png|jpe?g|gif|webp|svg|avif|bmp)|(?:img|dsc|image|screenshot)[ _-]?\d+)$/i;
const REDUNDANT = /^(?:an? |the )?(?:image|picture|photo|photograph|graphic|icon)(?: of\b|$)/i;
// Recipients whose mail clients block images should still understand the email.
const MIN_TEXT_LENGTH = 50;
const MIN_TEXT_LENGTH_PER_IMAGE = 30;
const MAX_IMAGES = 40;
const SOME_IMAGES = 3;

export const imageRules = defineRules([
  {
    name: 'alt-missing',
    severity: 'warning',
    help: 'Describe the picture in `alt`. If the picture is only decorative, set `alt` to an empty string.',
    *find({ images }) {
      for (const { place, alt } of images) {
        if (alt === undefined) yield { place, message: 'The picture has no alternative text.' };
      }
    },
  },
  {
    name: 'alt-file-name',
    severity: 'warning',
    help: 'In `alt`, describe the picture instead of giving its file name.',
    *find({ images }) {
      for (const { place, alt = '' } of images) {
        if (FILE_NAME.test(alt.trim())) {
          yield { place, message: 'The alternative text of the picture is only a file name.' };
        }
      }
    },
  },
  {
    name: 'alt-redundant',
    severity: 'info',
    help: 'Leave out words such as "picture of": screen readers already announce pictures.',
    *find({ images }) {
      for (const { place, alt = '' } of images) {
        if (REDUNDANT.test(alt.trim())) {
          yield { place, message: 'The alternative text says that this is a picture.' };
        }
      }
    },
  },
  {
    name: 'image-source-missing',
    severity: 'error',
    help: 'Set `src` (or `poster`, if the block is a video) to the URL of the picture, or remove the block.',
    *find({ images }) {
      for (const { place, src = '' } of images) {
        if (src.trim() === '') yield { place, message: 'The picture has no URL.' };
      }
    },
  },
  {
    name: 'image-address',
    severity: 'error',
    help: 'Use a URL that begins with https://. Relative URLs do not work in emails.',
    *find({ images }) {
      for (const { place, src = '' } of images) {
        const url = src.trim();
        if (url === '' || hasMergeTag(url) || /^https?:\/\//i.test(url)) continue;
        yield { place, message: 'The URL of the picture does not begin with https://.' };
      }
    },
  },
  {
    name: 'image-insecure',
    severity: 'warning',
    help: 'Use https:// instead of http://. Many mail clients warn about pictures that are loaded without encryption, or do not load them.',
    *find({ images }) {
      for (const { place, src = '' } of images) {
        if (/^\s*http:/i.test(src)) {
          yield { place, message: 'The picture is loaded without encryption.' };
        }
      }
    },
  },
  {
    name: 'image-without-width',
    severity: 'warning',
    help: 'Give the picture a `width`. Outlook shows pictures without a width in their original size, which breaks the layout.',
    *find({ images }) {
      for (const { place, width, hasColumnWidth } of images) {
        if (!hasColumnWidth && isUnset(width)) {
          yield { place, message: 'A picture in the HTML has no width.' };
        }
      }
    },
  },
  {
    name: 'image-without-size',
    severity: 'info',
    help: 'Set `width`, and also `height` if the picture always has the same height. Mail clients then reserve the space before they load the picture.',
    *find({ images }) {
      for (const { place, width, height, hasColumnWidth } of images) {
        if (hasColumnWidth && isUnset(width) && isUnset(height)) {
          yield {
            place,
            message: 'The picture has no `width` or `height`, so it fills its column.',
          };
        }
      }
    },
  },
  {
    name: 'images-without-text',
    severity: 'warning',
    help: 'Write the message as text. Many readers see no pictures at first, and spam filters distrust emails that contain only pictures.',
    *find(email) {
      const count = email.images.length;
      if (count > 0 && textLengthOf(email) < MIN_TEXT_LENGTH) {
        yield { place: email.document, message: 'The email has pictures, but hardly any text.' };
      }
    },
  },
  {
    name: 'images-many',
    severity: 'info',
    help: 'Remove pictures that add nothing, and say more in text.',
    *find(email) {
      const count = email.images.length;
      const length = textLengthOf(email);
      const isProportionLow =
        count >= SOME_IMAGES &&
        length < count * MIN_TEXT_LENGTH_PER_IMAGE &&
        length >= MIN_TEXT_LENGTH;
      if (count > MAX_IMAGES || isProportionLow) {
        const message = `The email has ${count} pictures and ${length} characters of text.`;
        yield { place: email.document, message };
      }
    },
  },
]);

const isUnset = (size: string | undefined): boolean =>
  size === undefined || size.trim() === '' || size.trim() === 'auto';

const textLengthOf = ({ texts }: Email): number =>
  texts.reduce((sum, { rich }) => sum + rich.text.length, 0);
