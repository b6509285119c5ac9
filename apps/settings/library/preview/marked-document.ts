type Node = Record<string, unknown>;

/** A document whose nodes have CSS classes, and the class of each node by its path (a JSON Pointer). */
export interface MarkedDocument {
  content: Node;
  classes: Map<string, string>;
}

/**
 * Adds a class to each node, so that the preview can find each node in the HTML. Existing
 * classes are kept.
 */
export function markDocument(content: Node): MarkedDocument {
  const classes = new Map<string, string>();
  const markList = (list: unknown, path: string, markNode: (node: Node, path: string) => Node) =>
    Array.isArray(list)
      ? list.map((each: unknown, index) =>
          isNode(each) ? markNode(each, `${path}/${index}`) : each,
        )
      : list;
  const withClass = (properties: unknown, path: string): Node => {
    const name = `galley-node-${classes.size}`;
    classes.set(path, name);
    const own = isNode(properties) ? properties : {};
    const existing = typeof own['css-class'] === 'string' ? `${own['css-class']} ` : '';
    return { ...own, 'css-class': existing + name };
  };
  const markBlock = (block: Node, path: string): Node => ({
    ...block,
    props: withClass(block['props'], path),
    ...('blocks' in block && { blocks: markList(block['blocks'], `${path}/blocks`, markBlock) }),
  });
  const markContainer = (container: Node, path: string): Node => ({
    ...container,
    styles: withClass(container['styles'], path),
    blocks: markList(container['blocks'], `${path}/blocks`, markBlock),
  });
  // Stripes, structures, wrappers and heroes.
  const markSection = (section: Node, path: string): Node => ({
    ...section,
    styles: withClass(section['styles'], path),
    ...Object.fromEntries(
      Object.entries({
        stripes: markSection,
        structures: markSection,
        containers: markContainer,
        blocks: markBlock,
      })
        .filter(([member]) => member in section)
        .map(([member, mark]) => [member, markList(section[member], `${path}/${member}`, mark)]),
    ),
  });
  const stripes = markList(content['stripes'], '/stripes', markSection);
  return { content: { ...content, stripes }, classes };
}

/**
 * Finds the class of the node at a path or of the nearest enclosing node that has a class. A finding may be about a
 * link or a row inside a block, and only the block has a class.
 */
export function classAt({ classes }: MarkedDocument, path: string): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const name = classes.get(path.slice(0, end));
    if (name !== undefined) return name;
  }
  return undefined;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
