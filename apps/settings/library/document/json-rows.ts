/** One line of the tree view of a document. */
export interface JsonRow {
  /**
   * The indexes that lead from the root to the value, separated by dots. Keys would be ambiguous, because a key may
   * contain a dot.
   */
  path: string;
  depth: number;
  /** The name of the field; undefined in arrays and for the document itself. */
  key: string | undefined;
  kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'end';
  /** The value as JSON (shortened if it is collapsed), or its opening or closing bracket. */
  text: string;
  /** The number of hidden children or characters; undefined if nothing is hidden. */
  hiddenCount: number | undefined;
  /** Undefined if the line cannot be expanded or collapsed. */
  isExpanded: boolean | undefined;
  hasComma: boolean;
  /** The referenced module. Set only on the first line of a reference. */
  reference?: ModuleReference;
}

// Longer strings are shortened, because they would hide the structure of the document.
const SHORT_TEXT_LENGTH = 160;

/**
 * Lists the visible lines of a document. The running time depends on what is expanded, not on the size of the document.
 *
 * @param isExpanded whether the value at a path is expanded. The tree expands values up to a certain depth. A long
 *   string has the depth `Infinity`, so only a click expands the string.
 */
export function toJsonRows(
  content: unknown,
  isExpanded: (path: string, depth: number) => boolean,
): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (value: unknown, place: Place): void => {
    if (typeof value === 'object' && value !== null) addContainer(value, place);
    else rows.push(leafRow(value, place, isExpanded));
  };
  const addContainer = (value: object, place: Place): void => {
    const isArray = Array.isArray(value);
    const entries: [string | undefined, unknown][] = isArray
      ? value.map((element) => [undefined, element])
      : Object.entries(value);
    const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
    const isEmpty = entries.length === 0;
    const isOpen = !isEmpty && isExpanded(place.path, place.depth);
    const reference = referenceOf(value);
    rows.push({
      ...place,
      ...(reference && { reference }),
      kind: isArray ? 'array' : 'object',
      text: isOpen ? open : isEmpty ? `${open}${close}` : `${open} ${preview(entries)} ${close}`,
      hiddenCount: isOpen || isEmpty ? undefined : entries.length,
      isExpanded: isEmpty ? undefined : isOpen,
      hasComma: place.hasComma && !isOpen,
    });
    if (!isOpen) return;
    const depth = place.depth + 1;
    entries.forEach(([key, child], index) =>
      add(child, {
        path: `${place.path}.${index}`,
        depth,
        key,
        hasComma: index < entries.length - 1,
      }),
    );
    rows.push({
      path: `${place.path}.end`,
      depth: place.depth,
      key: undefined,
      kind: 'end',
      text: close,
      hiddenCount: undefined,
      isExpanded: undefined,
      hasComma: place.hasComma,
    });
  };
  add(content, { path: '', depth: 0, key: undefined, hasComma: false });
  return rows;
}

const PREVIEW_LENGTH = 60;

/** The first fields or elements of a collapsed value, which help the user to recognise it. */
function preview(entries: readonly [string | undefined, unknown][]): string {
  let text = '';
  for (const [key, value] of entries) {
    if (typeof value === 'object' && value !== null) break;
    const part = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(value)}, `;
    if (text.length + part.length > PREVIEW_LENGTH) break;
    text += part;
  }
  return `${text}…`;
}

type Place = Pick<JsonRow, 'path' | 'depth' | 'key' | 'hasComma'>;

function leafRow(
  value: unknown,
  place: Place,
  isExpanded: (path: string, depth: number) => boolean,
): JsonRow {
  const text = JSON.stringify(value);
  const kind = value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean');
  const isLong = text.length > SHORT_TEXT_LENGTH;
  const isOpen = isLong && isExpanded(place.path, Infinity);
  const isCut = isLong && !isOpen;
  return {
    ...place,
    kind,
    text: isCut ? `${text.slice(0, SHORT_TEXT_LENGTH)}…` : text,
    hiddenCount: isCut ? text.length - SHORT_TEXT_LENGTH : undefined,
    isExpanded: isLong ? isOpen : undefined,
  };
}

/** A reference to a module, or the module that replaced the reference because references are expanded. */
export interface ModuleReference {
  id: string;
  /** The name and the problem are known only if module references are expanded. */
  name?: string;
  problem?: string;
  /** The pinned version, or the version whose document replaced the reference. */
  version?: number;
  isPinned: boolean;
}

/** Parses a module reference, or the module that replaced it. Undefined for all other values. */
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

/** Whether a document contains module references, expanded or not. */
export function hasReference(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false;
  return Object.values(content).some(
    (value) => referenceOf(value) !== undefined || hasReference(value),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
