/** A module that a document refers to. */
export interface ModuleReference {
  id: string;
  /** The name and the problem are known only if the document is shown with its modules. */
  name?: string;
  problem?: string;
  /** The version that the document pins, or that stands in the place of the reference. */
  version?: number;
  isPinned: boolean;
}

/** Reads a reference, or a module that stands in the place of a reference. Undefined for other values. */
export function referenceOf(value: unknown): ModuleReference | undefined {
  if (!isObject(value)) return undefined;
  const { type, moduleId, version, $module: module } = value;
  if (type === 'module' && typeof moduleId === 'string') {
    const isPinned = typeof version === 'number';
    return { id: moduleId, isPinned, ...(isPinned && { version }) };
  }
  if (!isObject(module) || typeof module['id'] !== 'string') return undefined;
  return {
    id: module['id'],
    isPinned: module['pinned'] === true,
    ...(typeof module['name'] === 'string' && { name: module['name'] }),
    ...(typeof module['problem'] === 'string' && { problem: module['problem'] }),
    ...(typeof module['version'] === 'number' && { version: module['version'] }),
  };
}

/** Whether a document contains a reference to a module. */
export function hasReference(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false;
  return Object.values(content).some(
    (value) => referenceOf(value) !== undefined || hasReference(value),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
