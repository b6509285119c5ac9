import { Column } from './column.js';
import { COLUMNS, Columns } from './columns.js';

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

/** MJML with background pictures of columns. Each column takes more time, so few documents use this preset. */
export const backgroundPreset = { ...galleyPreset, components: [Columns, Column] };
