type Properties = Record<string, unknown>;

/** A kind of node whose properties are tried. */
export interface NodeKind {
  /** The definition in the JSON Schema. */
  definition: string;
  /** The member that has the properties. */
  member: 'styles' | 'props' | 'own';
  /** The properties of the node that is compared with others. */
  base: Properties;
  /** Draws a stripe that contains the node. */
  stripeWith: (node: Properties) => object;
}

const PICTURE = 'https://example.com/picture.png';
const LINK = 'https://example.com/';
const text = {
  type: 'text',
  props: { content: 'A text with a <a href="https://example.com/">link</a>' },
};
const tall = { type: 'text', props: { content: 'A text<br><br><br>of four lines' } };
const containers = [
  { styles: { width: '40%' }, blocks: [text] },
  { styles: { width: '40%' }, blocks: [tall] },
];
const stripeOf = (block: object) => ({ containers: [{ blocks: [block] }] });
const blockOf = (type: string) => (node: Properties) => stripeOf({ type, ...node });

const block = (definition: string, type: string, base: Properties): NodeKind => ({
  definition,
  member: 'props',
  base,
  stripeWith: blockOf(type),
});

export const nodeKinds: Record<string, NodeKind> = {
  wrapper: {
    definition: 'Wrapper',
    member: 'styles',
    base: {},
    stripeWith: (node) => ({ type: 'wrapper', stripes: [{ containers }, { containers }], ...node }),
  },
  hero: {
    definition: 'Hero',
    member: 'styles',
    base: { height: '400px' },
    stripeWith: (node) => ({ type: 'hero', blocks: [text], ...node }),
  },
  stripe: {
    definition: 'Stripe',
    member: 'styles',
    base: {},
    stripeWith: (node) => ({ containers, ...node }),
  },
  structure: {
    definition: 'Structure',
    member: 'styles',
    base: {},
    stripeWith: (node) => ({ structures: [{ containers, ...node }] }),
  },
  container: {
    definition: 'Container',
    member: 'styles',
    base: {},
    stripeWith: (node) => ({ containers: [{ blocks: [text], ...node }, { blocks: [tall] }] }),
  },
  column: {
    definition: 'Column',
    member: 'props',
    base: {},
    stripeWith: (node) => ({
      containers: [
        {
          blocks: [
            { type: 'column', blocks: [text], ...node },
            { type: 'column', blocks: [tall] },
          ],
        },
      ],
    }),
  },
  text: block('TextBlock', 'text', {
    content: 'Text with a <a href="https://example.com/">link</a>',
  }),
  heading: block('HeadingBlock', 'heading', {
    content: 'A <a href="https://example.com/">heading</a>',
  }),
  list: block('ListBlock', 'list', { items: ['An <a href="https://example.com/">item</a>'] }),
  image: block('ImageBlock', 'image', {
    src: PICTURE,
    width: '200px',
    height: '100px',
    href: LINK,
  }),
  button: block('ButtonBlock', 'button', { content: 'A button', href: LINK }),
  divider: block('DividerBlock', 'divider', {}),
  spacer: block('SpacerBlock', 'spacer', {}),
  video: block('VideoBlock', 'video', {
    src: LINK,
    poster: PICTURE,
    width: '200px',
    height: '100px',
  }),
  countdown: block('CountdownBlock', 'countdown', {
    src: PICTURE,
    width: '200px',
    height: '100px',
    href: LINK,
  }),
  table: block('TableBlock', 'table', {
    header: ['One', 'Two'],
    rows: [['A', '<a href="https://example.com/">B</a>']],
  }),
  accordion: block('AccordionBlock', 'accordion', {
    elements: [{ title: 'One', content: 'Text with a <a href="https://example.com/">link</a>' }],
  }),
  social: block('SocialBlock', 'social', {
    elements: [
      { name: 'mastodon', href: LINK, content: 'Us' },
      { name: 'x', href: LINK },
    ],
  }),
  menu: block('MenuBlock', 'menu', {
    hamburger: 'hamburger',
    links: [
      { content: 'One', href: 'a' },
      { content: 'Two', href: 'b' },
    ],
  }),
  html: block('HtmlBlock', 'html', {
    content: 'Text with a <a href="https://example.com/">link</a>',
  }),
  'link of a social block': {
    definition: 'SocialElement',
    member: 'own',
    base: { name: 'x', href: LINK, content: 'Us' },
    stripeWith: ({ own }) => stripeOf({ type: 'social', props: { elements: [own] } }),
  },
  'link of a menu': {
    definition: 'MenuLink',
    member: 'own',
    base: { content: 'One', href: LINK },
    stripeWith: ({ own }) => stripeOf({ type: 'menu', props: { links: [own] } }),
  },
  'column of a table': {
    definition: 'TableColumn',
    member: 'own',
    base: {},
    stripeWith: ({ own }) =>
      stripeOf({
        type: 'table',
        props: { header: ['One', 'Two'], rows: [['A', 'B']], columns: [own] },
      }),
  },
};

/** What else a node must have so that a property has an effect. */
export const requirements: Record<string, Properties> = {
  'background-position': { 'background-url': PICTURE },
  'background-position-x': { 'background-url': PICTURE },
  'background-position-y': { 'background-url': PICTURE },
  'background-repeat': { 'background-url': PICTURE },
  'background-size': { 'background-url': PICTURE },
  'inner-border': { padding: '10px' },
  'inner-border-top': { padding: '10px' },
  'inner-border-right': { padding: '10px' },
  'inner-border-bottom': { padding: '10px' },
  'inner-border-left': { padding: '10px' },
  'inner-border-radius': { padding: '10px' },
  'inner-background-color': { padding: '10px' },
};
