import { Column } from './column.js';
import { COLUMNS, Columns } from './columns.js';
import { Image } from './image.js';

/** What Galley adds to the components of MJML. */
export const galleyPreset = {
  components: [Columns],
  dependencies: {
    'mj-column': [COLUMNS],
    [COLUMNS]: ['mj-column', 'mj-raw'],
    // A stripe with structures inside of a wrapper, and a hero inside of a wrapper.
    'mj-wrapper': ['mj-wrapper', 'mj-hero'],
  },
};

/**
 * MJML with background pictures of columns and play buttons on images. These components take more time than MJML's own,
 * so only documents that need the components use this preset.
 */
export const fullPreset = { ...galleyPreset, components: [Columns, Column, Image] };
