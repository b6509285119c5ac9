/** Parts of documents that refer to modules. */

export const text = (value: string) => ({ type: 'text', text: value });

export const refer = (moduleId: string, version?: number) => ({
  type: 'module',
  moduleId,
  ...(version !== undefined && { version }),
});

/** A block that follows modules. */
export const box = (...moduleIds: string[]) => ({
  type: 'box',
  blocks: moduleIds.map((moduleId) => refer(moduleId)),
});

export const withBlocks = (...blocks: object[]) => ({
  stripes: [{ type: 'stripe', containers: [{ type: 'container', blocks }] }],
});
