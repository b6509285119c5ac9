import {
  CONTENT_WIDTHS,
  DEFAULT_BACKGROUND,
  DEFAULT_WIDTH,
  defaultProperties,
  defaultTextStyles,
  FONT_SIZES,
  LINE_HEIGHTS,
  propertiesOfOneNode,
  styledNodes,
  type StyledNode,
} from '../document/index.js';
import { darkProperties, MAX_FONTS, mobileProperties } from '../drawing/index.js';
import { attributeDefinitions, attributeSchemas } from './attribute-schemas.js';
import { blockDefinitions, nodeMembers, translations } from './block-schemas.js';
import { sectionDefinitions } from './section-schemas.js';
import { font } from './font-schema.js';
import { closed, ref, type JsonSchema } from './json-schema.js';

/**
 * The JSON Schema of the documents that Galley draws. `docs/schemas/document-1.json` contains a copy, which the API
 * serves. A later release of Galley may add members to this version of the schema; any other change requires version 2.
 */
export const documentSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  // Clients resolve this path against the URL of the Galley installation that serves the schema.
  $id: '/schemas/document-1.json',
  ...ref('EmailDocument'),
  $defs: {
    EmailDocument: emailDocument(),
    ...sectionDefinitions(),
    ...blockDefinitions(),
    ModuleReference: moduleReference,
    Condition: condition,
    Repeat: repeat,
    Visibility: visibility,
    ...attributeDefinitions,
  },
});

const emailDocument = (): JsonSchema => ({
  title: 'Email document',
  description: 'An email that Galley can draw. You may add members of your own.',
  type: 'object',
  properties: {
    $schema: { description: 'The URL of this schema.', type: 'string' },
    language: {
      description: 'The language of the text (BCP 47). Screen readers need it.',
      type: 'string',
      examples: ['en'],
    },
    direction: {
      description: 'The direction of the text. By default, the direction of the `language`.',
      enum: ['ltr', 'rtl'],
    },
    title: {
      description: 'The title of the email. By default, the name of the template.',
      type: 'string',
    },
    subject: {
      description:
        'The subject of the email, in a single line. Rendering returns the subject, and your program sends it.',
      type: 'string',
      examples: ['Your order {{order.number}}'],
    },
    fromName: {
      description: 'The name of the sender, which mail clients show in the list of emails.',
      type: 'string',
      examples: ['Corner Shop'],
    },
    preheader: {
      description: 'The text that mail clients show next to the subject in the list of emails.',
      type: 'string',
    },
    translations: translations('`subject`, `fromName`, `preheader` or `title`'),
    variables: {
      description:
        'The data that the email needs, as a JSON Schema (draft 2020-12) with the type `object`. A `default` is used where the data has no value.',
      type: 'object',
    },
    sampleData: {
      description:
        'Sample values of the merge tags. Previews of the document show them. By default, the examples in `variables`.',
      type: 'object',
    },
    styles: {
      description: 'The styles of the whole document.',
      type: 'object',
      properties: {
        contentWidth: {
          description: 'The width of the content, in pixels.',
          type: 'number',
          minimum: CONTENT_WIDTHS[0],
          maximum: CONTENT_WIDTHS[1],
          default: DEFAULT_WIDTH,
        },
        backgroundColor: {
          description: 'The background colour around the content, as a hexadecimal number.',
          type: 'string',
          pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
          default: DEFAULT_BACKGROUND,
        },
        fontFamily: {
          description:
            "The default font stack. The first font available on the reader's device is used.",
          type: 'string',
          maxLength: 200,
          examples: ['Georgia, serif'],
          default: defaultTextStyles['font-family'],
        },
        fontSize: {
          description: 'The size of the text, in pixels.',
          type: 'number',
          minimum: FONT_SIZES[0],
          maximum: FONT_SIZES[1],
          default: Number.parseInt(defaultTextStyles['font-size'], 10),
        },
        lineHeight: {
          description: 'The height of a line, as a multiple of the text size.',
          type: 'number',
          minimum: LINE_HEIGHTS[0],
          maximum: LINE_HEIGHTS[1],
          default: Number(defaultTextStyles['line-height']),
        },
        textColor: {
          description: 'The colour of the text.',
          ...ref('Color'),
          default: defaultTextStyles.color,
        },
        linkColor: {
          description: 'The colour of links. By default, `textColor` if it is set.',
          ...ref('Color'),
          default: defaultTextStyles['link-color'],
        },
        ...kindSchemas((kind, tagName) =>
          attributeSchemas(tagName, {
            except: propertiesOfOneNode,
            defaults: defaultProperties[kind],
          }),
        ),
        mobile: closed(
          'The properties in windows that are narrower than 480 pixels, by kind of node.',
          kindSchemas((_, tagName) => kindOverrides(tagName, mobileProperties(tagName))),
        ),
        dark: {
          description: 'The colours in dark mode. Not all mail clients use them.',
          type: 'object',
          properties: {
            backgroundColor: { description: 'The colour around the content.', ...ref('Color') },
            textColor: { description: 'The colour of the text.', ...ref('Color') },
            linkColor: {
              description: 'The colour of links; by default, `textColor`.',
              ...ref('Color'),
            },
            ...kindSchemas((_, tagName) => kindOverrides(tagName, darkProperties(tagName))),
          },
          additionalProperties: false,
        },
      },
    },
    fonts: {
      description: `Fonts that the devices of readers load. Most mail clients show the fallback. At most ${MAX_FONTS}.`,
      type: 'array',
      items: font,
    },
    stripes: {
      description: 'The parts of the email, from top to bottom.',
      type: 'array',
      items: { anyOf: ['Stripe', 'Wrapper', 'Hero', 'ModuleReference'].map(ref) },
    },
  },
  required: ['stripes'],
});

/** The schemas of the properties that a document sets by kind of node. */
const kindSchemas = (
  propertiesOfKind: (kind: StyledNode, tagName: string) => Record<string, JsonSchema>,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(styledNodes)
      .map(([kind, tagName]) => [kind, propertiesOfKind(kind as StyledNode, tagName)] as const)
      .filter(([, properties]) => Object.keys(properties).length > 0)
      .map(([kind, properties]) => [
        kind,
        closed(descriptionsOfKinds[kind as StyledNode], properties),
      ]),
  );

const kindOverrides = (tagName: string, names: readonly string[]): Record<string, JsonSchema> => {
  const all = attributeSchemas(tagName, { except: propertiesOfOneNode });
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
};

const propertiesOf = (nodes: string): string =>
  `The properties of all ${nodes} that set no others.`;

const descriptionsOfKinds: Record<StyledNode, string> = {
  stripe: propertiesOf('stripes'),
  container: propertiesOf('containers'),
  text: propertiesOf('text blocks'),
  heading: propertiesOf('headings'),
  heading1: propertiesOf('headings of level 1'),
  heading2: propertiesOf('headings of level 2'),
  heading3: propertiesOf('headings of level 3'),
  heading4: propertiesOf('headings of level 4'),
  heading5: propertiesOf('headings of level 5'),
  heading6: propertiesOf('headings of level 6'),
  list: propertiesOf('lists'),
  table: propertiesOf('tables'),
  accordion: propertiesOf('accordions'),
  image: propertiesOf('images and videos'),
  button: propertiesOf('buttons'),
  divider: propertiesOf('dividers'),
  menu: propertiesOf('menus'),
  social: propertiesOf('social blocks'),
};

const moduleReference: JsonSchema = {
  title: 'Module',
  description:
    'A reference to a module, a part that several documents share. Galley inserts the content of the module here.',
  type: 'object',
  properties: {
    type: { const: 'module' },
    moduleId: { description: 'The id of the module.', type: 'string' },
    version: {
      description: 'The version of the module; by default, the latest version.',
      type: 'number',
      minimum: 1,
    },
    asOf: {
      description:
        'A time, allowed only with `version`. Modules inside this module are shown as they were at that time.',
      type: 'string',
    },
    ...nodeMembers,
  },
  required: ['type', 'moduleId'],
};

const condition: JsonSchema = {
  description:
    'The node is shown only if this expression is true. An expression is a path, or a comparison with `==`, `!=`, `<`, `<=`, `>` or `>=`. `not` negates an expression; `and` and `or` join several.',
  type: 'string',
  examples: ['user.isPremium', 'order.total >= 50 and not order.isGift'],
};

const repeat: JsonSchema = {
  description:
    'The node is shown once for each element of a list. With `item in order.items`, for example, the texts of the node refer to the element as `item`.',
  type: 'string',
  pattern: '^\\s*\\w+\\s+in\\s+\\S+\\s*$',
  examples: ['item in order.items'],
};

const visibility: JsonSchema = {
  description:
    'Shows the node only in windows narrower than 480 pixels (`mobile`), or only in wider windows (`desktop`).',
  enum: ['mobile', 'desktop'],
};
