type Node = Record<string, unknown>;

const SECTIONS = ['stripe', 'wrapper', 'hero'];

/** A document that contains only a module, in the place where nodes of its type belong. */
export function documentWith(module: Node): Node {
  const { type } = module;
  if (typeof type === 'string' && SECTIONS.includes(type)) return { stripes: [module] };
  const container = type === 'container' ? module : { blocks: [module] };
  return { stripes: [{ containers: [container] }] };
}
