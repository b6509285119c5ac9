import { defaultProperties, type StyledNode } from '../document/index.js';
import { attributeSchemas, linkColor } from './attribute-schemas.js';
import { TABLE_COLUMN } from '../drawing/index.js';
import { overrideMembers } from './override-schemas.js';
import { closed, ref, type JsonSchema } from './json-schema.js';

/** The members that stripes, containers and blocks have in addition to `styles` or `props`. */
export const nodeMembers: Record<string, JsonSchema> = {
  id: {
    description: 'Identifies the node in warnings and in comparisons of versions.',
    type: 'string',
  },
  condition: ref('Condition'),
  repeat: ref('Repeat'),
  visibility: ref('Visibility'),
};

/** The texts of a node in other languages. */
export const translations = (places: string): JsonSchema => ({
  description: `The texts in other languages, by language tag (BCP 47) and then by place: ${places}.`,
  type: 'object',
  additionalProperties: {
    description: 'The translations into one language.',
    type: 'object',
    additionalProperties: ref('Translation'),
  },
});

/** The optional members of table rows, list items and links. */
const rowMembers: Record<string, JsonSchema> = {
  condition: ref('Condition'),
  repeat: ref('Repeat'),
};

interface BlockForm {
  /** The values of `type` in a document: a single name, or several synonyms. */
  types: readonly string[];
  description: string;
  /** The MJML element whose attributes are properties of the block. */
  tagName: string;
  /** The node whose defaults apply to the block. */
  kind?: StyledNode;
  /** The attributes of the MJML element that are not properties of the block. */
  except?: readonly string[];
  /** The properties that are not attributes of the MJML element. */
  own?: Record<string, JsonSchema>;
}

const rich = (description: string): JsonSchema => ({
  description: `${description} HTML with formatting and links.`,
  type: ['string', 'number'],
});
const listOf = (description: string, items: JsonSchema): JsonSchema => ({
  description,
  type: 'array',
  items,
});
const url = (description: string): JsonSchema => ({
  description,
  type: 'string',
  maxLength: 2_000,
  examples: ['https://example.com/'],
});

const cells = (description: string) => listOf(description, rich('A cell.'));
const row: JsonSchema = {
  title: 'Row',
  anyOf: [
    cells('The cells of a row.'),
    {
      ...closed(
        'A row that is shown only under a condition, or repeated for each element of a list in the data.',
        {
          cells: cells('The cells of the row.'),
          ...rowMembers,
        },
      ),
      required: ['cells'],
    },
  ],
};
const item: JsonSchema = {
  title: 'Item',
  anyOf: [
    rich('An item.'),
    {
      ...closed(
        'An item that is shown only under a condition, or repeated for each element of a list in the data.',
        {
          content: rich('The text of the item.'),
          ...rowMembers,
        },
      ),
      required: ['content'],
    },
  ],
};

const blockForms: Record<string, BlockForm> = {
  TextBlock: {
    types: ['text'],
    description: 'Text with formatting and links.',
    tagName: 'mj-text',
    kind: 'text',
    own: { content: rich('The text.'), 'link-color': linkColor },
  },
  HeadingBlock: {
    types: ['heading'],
    description: 'A heading.',
    tagName: 'mj-text',
    kind: 'heading',
    own: {
      'link-color': linkColor,
      content: rich('The heading.'),
      level: {
        description:
          'The heading level: 1 for the title of the email, 2 for the headings below it, and so on.',
        enum: [1, 2, 3, 4, 5, 6],
        default: 2,
      },
    },
  },
  ListBlock: {
    types: ['list'],
    description: 'A list with bullets or numbers.',
    tagName: 'mj-text',
    kind: 'text',
    own: {
      'link-color': linkColor,
      items: listOf('The items.', item),
      ordered: {
        description: 'Whether the items have numbers instead of bullets.',
        type: 'boolean',
        default: false,
      },
    },
  },
  ImageBlock: {
    types: ['image'],
    description: 'A picture, with a link if it has `href`.',
    tagName: 'mj-image',
    kind: 'image',
  },
  ButtonBlock: {
    types: ['button'],
    description: 'A link that looks like a button.',
    tagName: 'mj-button',
    kind: 'button',
    own: { content: rich('The label.') },
  },
  DividerBlock: {
    types: ['divider'],
    description: 'A line.',
    tagName: 'mj-divider',
    kind: 'divider',
  },
  SpacerBlock: { types: ['spacer'], description: 'Empty space.', tagName: 'mj-spacer' },
  VideoBlock: {
    types: ['video'],
    description: 'A picture that links to a video.',
    tagName: 'mj-image',
    kind: 'image',
    except: ['href'],
    own: {
      src: url('The URL of the video.'),
      poster: url('The URL of the picture.'),
      'play-button': {
        description:
          'Whether a play button is on the picture. The picture then fills a box of 16 to 9, or of the `height`.',
        type: 'boolean',
        default: false,
      },
    },
  },
  CountdownBlock: {
    types: ['countdown'],
    description:
      'A picture that a service draws at each opening, such as the time until an offer ends. `alt` is the text for readers without pictures.',
    tagName: 'mj-image',
    kind: 'image',
  },
  TableBlock: {
    types: ['table'],
    description: 'A table.',
    tagName: 'mj-table',
    kind: 'table',
    own: {
      header: cells('The headings of the columns.'),
      rows: listOf('The rows.', row),
      columns: listOf('The columns, in the order of the cells.', ref('TableColumn')),
      'link-color': linkColor,
    },
  },
  AccordionBlock: {
    types: ['accordion'],
    description:
      'Texts that a reader opens by their titles. Mail clients that cannot close the texts show all of them.',
    tagName: 'mj-accordion',
    kind: 'accordion',
    own: {
      elements: listOf('The texts.', ref('AccordionElement')),
      'link-color': linkColor,
    },
  },
  SocialBlock: {
    types: ['social'],
    description: 'Links to social networks.',
    tagName: 'mj-social',
    kind: 'social',
    own: { elements: listOf('The links.', ref('SocialElement')) },
  },
  MenuBlock: {
    types: ['menu', 'navbar'],
    description: 'Links in a row.',
    tagName: 'mj-navbar',
    kind: 'menu',
    own: { links: listOf('The links.', ref('MenuLink')) },
  },
  HtmlBlock: {
    types: ['html', 'raw'],
    description: 'Your own HTML, which may contain tables and pictures.',
    tagName: 'mj-text',
    kind: 'text',
    own: {
      'link-color': linkColor,
      content: {
        description: 'The HTML. Scripts, forms and style sheets are removed.',
        type: ['string', 'number'],
      },
    },
  },
};

const typeSchema = ([first = '', ...others]: readonly string[]): JsonSchema =>
  others.length === 0 ? { const: first } : { enum: [first, ...others] };

function blockSchema(name: string, form: BlockForm): JsonSchema {
  const { types, description, tagName, kind, except = [], own = {} } = form;
  const defaults = kind === undefined ? {} : defaultProperties[kind];
  return {
    title: name.replace('Block', ' block'),
    description,
    type: 'object',
    properties: {
      type: { description: 'The type of the block.', ...typeSchema(types) },
      ...nodeMembers,
      props: closed('The properties of the block.', {
        ...attributeSchemas(tagName, { except, defaults }),
        ...own,
      }),
      ...overrideMembers(tagName),
      translations: translations(
        'the path of a text in `props`, such as `content`, `items/0` or `rows/0/1`',
      ),
    },
    required: ['type'],
  };
}

const linkSchema = (description: string, tagName: string): JsonSchema =>
  closed(description, {
    ...attributeSchemas(tagName),
    content: { description: 'The label.', type: ['string', 'number'] },
    ...rowMembers,
  });

/** The definitions of all block types except columns, and of the links in social blocks and menus. */
export const blockDefinitions = (): Record<string, JsonSchema> => ({
  Block: {
    title: 'Block',
    description: 'A block. Its `type` determines its properties.',
    oneOf: Object.keys(blockForms).map(ref),
  },
  ...Object.fromEntries(
    Object.entries(blockForms).map(([name, form]) => [name, blockSchema(name, form)]),
  ),
  Translation: {
    ...closed('A translation of a text.', {
      text: { description: 'The translation.', type: 'string' },
      source: {
        description:
          'The text that was translated. If the document has another text now, checks report the translation as outdated.',
        type: 'string',
      },
    }),
    required: ['text'],
  },
  TableColumn: closed('A column of a table.', attributeSchemas(TABLE_COLUMN)),
  AccordionElement: closed('A text of an accordion.', {
    title: rich('The title.'),
    content: rich('The text.'),
    ...rowMembers,
  }),
  SocialElement: linkSchema('A link to a social network.', 'mj-social-element'),
  MenuLink: linkSchema('A link in a menu.', 'mj-navbar-link'),
});
