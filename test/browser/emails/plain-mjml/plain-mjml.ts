import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';

type Node = Record<string, unknown>;
interface Element {
  tagName: string;
  attributes?: Record<string, string>;
  children?: Element[];
  content?: string;
}

/** The blocks that a plain reading of a document can draw: an MJML element, with the properties as attributes. */
const TAG_NAMES: Record<string, string> = {
  text: 'mj-text',
  image: 'mj-image',
  button: 'mj-button',
  divider: 'mj-divider',
  spacer: 'mj-spacer',
  social: 'mj-social',
};

const listIn = (node: Node, member: string): Node[] => (node[member] ?? []) as Node[];
const propertiesIn = (node: Node, member: string): Node => (node[member] ?? {}) as Node;

const attributesOf = (properties: Node): Record<string, string> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) =>
      name === 'content' || value === '' || typeof value !== 'string'
        ? []
        : [[name, value.replaceAll('"', '&quot;')]],
    ),
  );

const contentOf = ({ content }: Node): string => (typeof content === 'string' ? content : '');

function drawBlock(block: Node): Element {
  const props = propertiesIn(block, 'props');
  if (block['type'] === 'column') return drawColumn(block, props);
  const tagName = TAG_NAMES[String(block['type'])] ?? '';
  const attributes = attributesOf(props);
  const elements = listIn(props, 'elements').map((element) => ({
    tagName: 'mj-social-element',
    attributes: attributesOf(element),
    content: contentOf(element),
  }));
  return tagName === 'mj-social'
    ? { tagName, attributes, children: elements }
    : { tagName, attributes, content: contentOf(props) };
}

const drawColumn = (node: Node, properties: Node): Element => ({
  tagName: 'mj-column',
  attributes: attributesOf(properties),
  children: listIn(node, 'blocks').map(drawBlock),
});

function drawContainer(container: Node): Element[] {
  const blocks = listIn(container, 'blocks');
  const hasColumns = blocks.length > 0 && blocks.every(({ type }) => type === 'column');
  return hasColumns
    ? blocks.map(drawBlock)
    : [drawColumn(container, propertiesIn(container, 'styles'))];
}

/** Draws a document by the names of its nodes alone, with the defaults of MJML. */
export async function plainHtmlOf(document: Node): Promise<string> {
  const { fontFamily, contentWidth = 600, backgroundColor } = propertiesIn(document, 'styles');
  const sections = listIn(document, 'stripes').map((stripe) => ({
    tagName: 'mj-section',
    attributes: attributesOf(propertiesIn(stripe, 'styles')),
    children: listIn(stripe, 'containers').flatMap(drawContainer),
  }));
  const all = { tagName: 'mj-all', attributes: attributesOf({ 'font-family': fontFamily }) };
  const body = {
    tagName: 'mj-body',
    attributes: attributesOf({
      width: `${String(contentWidth)}px`,
      'background-color': backgroundColor,
    }),
    children: sections,
  };
  const head = { tagName: 'mj-head', children: [{ tagName: 'mj-attributes', children: [all] }] };
  const tree = { tagName: 'mjml', children: [head, body] };
  const options = { presets: [presetCore], validationLevel: 'skip' as const, fonts: {} };
  return (await mjmlCore.default(tree, options)).html;
}

/** The styles with which a document of Galley has the defaults of MJML. */
const PADDING = { padding: '10px 25px' };
export const MJML_DEFAULTS = {
  fontSize: 13,
  lineHeight: 1,
  textColor: '#000000',
  linkColor: '#0000ee',
  stripe: { padding: '20px 0' },
  text: PADDING,
  image: PADDING,
  button: {
    ...PADDING,
    align: 'center',
    'background-color': '#414141',
    'border-radius': '3px',
    'font-size': '13px',
    'font-weight': 'normal',
    'inner-padding': '10px 25px',
    'line-height': '120%',
  },
  divider: { ...PADDING, 'border-color': '#000000', 'border-width': '4px' },
  social: { ...PADDING, 'icon-size': '20px' },
};

/**
 * Removes what Galley draws differently on purpose: blocks of other types, paragraphs, whose space Galley puts only
 * between them, and links, whose colour Galley sets.
 */
export function withoutKnownDifferences(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((each: Node) => {
        const type = (each as Node | null)?.['type'];
        return typeof type !== 'string' || PLAIN_TYPES.includes(type);
      })
      .map(withoutKnownDifferences);
  }
  if (typeof value === 'string') return value.replaceAll(/<(\/?)p\b/g, '<$1div');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => name !== 'wrapper' && !IS_MISTYPED.test(String(each)))
      .map(([name, each]) => [name, withoutKnownDifferences(each)]),
  );
}
// MJML copies a padding such as `0px10px 5px` into the HTML, and Galley warns of it.
const IS_MISTYPED = /^\d+px\d/;
const PLAIN_TYPES = ['stripe', 'container', 'column', ...Object.keys(TAG_NAMES)];
