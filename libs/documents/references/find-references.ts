import type { JsonText } from '#json';

/** The arrays of a document that may contain references, and the kind of node that each array contains. */
const PLACES = new Map<string | undefined, Place>([
  ['"stripes"', 'stripe'],
  ['"containers"', 'container'],
  ['"blocks"', 'block'],
]);

export type Place = 'stripe' | 'container' | 'block';

/**
 * The path from the root of a document to a node, as a linked list that begins with the last step. References share
 * their common steps, because a step may be a member name that is almost as long as the document, and each copy would
 * take as much memory.
 */
export interface Path {
  parent: Path | undefined;
  /** An array index, or a member name as JSON. */
  step: number | string;
}

/** A reference to a module, as found in the text of a document. */
export interface FoundReference {
  /** The offsets of the reference in the text, from `start` (inclusive) to `end` (exclusive). */
  start: number;
  end: number;
  place: Place;
  path: Path;
  /** Whether one of the `REFERENCE_MEMBERS` occurs more than once. */
  repeatsMember: boolean;
  /**
   * The values of `moduleId`, `version` and `asOf` as JSON; undefined if the reference lacks the member. If a value is
   * an object or array, only its first character is stored.
   */
  moduleId: string;
  version: string | undefined;
  asOf: string | undefined;
  /**
   * The members that control when and how often the module is shown, as JSON: for example `"repeat":"line in lines"`.
   */
  display: string[];
  /** The offsets of the values of `version` and `asOf`. */
  offsets: { version: number | undefined; asOf: number | undefined };
}

interface Member {
  json: string;
  offset: number;
}

interface Frame {
  isArray: boolean;
  start: number;
  /** For an array, the place of its elements. For an object, its own place. */
  place: Place | undefined;
  /** The name of the current member, as JSON. */
  name: string | undefined;
  index: number;
  /** Undefined for the root of the document. */
  path: Path | undefined;
  members: Record<string, Member>;
  isModule: boolean;
  repeatsMember: boolean;
}

// Optional white space, then a string, a number or literal, or a punctuation mark.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[\w.+-]+|[{}[\],:])/y;
// This many tokens take at most 0.1 ms.
const TOKENS_BETWEEN_CHECKPOINTS = 200;
const REFERENCE_MEMBERS = new Set(['"type"', '"moduleId"', '"version"', '"asOf"']);
const DISPLAY_MEMBERS = ['"condition"', '"repeat"', '"visibility"'];

/**
 * Finds the references to modules in a document: the objects `{"type":"module","moduleId":…}` that are elements of an
 * array named `stripes`, `containers` or `blocks`. Most documents have no references and are not parsed. Member names
 * and the type are recognised only if they are written without escape sequences.
 */
export function* findReferences(document: JsonText): Generator<void, FoundReference[]> {
  if (!document.source.includes('"moduleId"')) return [];
  const { text } = document;
  const found: FoundReference[] = [];
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let isName = false;
  TOKEN.lastIndex = 0;
  let offset = 0;
  for (let count = 1; offset < text.length; count++) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) break;
    offset = TOKEN.lastIndex;
    if (count % TOKENS_BETWEEN_CHECKPOINTS === 0) yield;
    switch (token) {
      case '{':
      case '[': {
        if (frame !== undefined) addMember(frame, token, offset - 1);
        const isArray = token === '[';
        const place = isArray ? PLACES.get(frame?.name) : frame?.isArray ? frame.place : undefined;
        const path = frame && {
          parent: frame.path,
          step: frame.isArray ? frame.index : (frame.name ?? '""'),
        };
        frame = {
          isArray,
          start: offset - 1,
          place,
          name: undefined,
          index: 0,
          path,
          members: {},
          isModule: false,
          repeatsMember: false,
        };
        frames.push(frame);
        isName = !isArray;
        break;
      }
      case '}':
      case ']': {
        const closed = frames.pop();
        frame = frames.at(-1);
        if (closed !== undefined) addReference(found, closed, offset);
        break;
      }
      case ',':
        if (frame?.isArray) frame.index++;
        isName = frame?.isArray === false;
        break;
      case ':':
        isName = false;
        break;
      default:
        if (frame === undefined) break;
        if (isName) frame.name = token;
        else addMember(frame, token, offset - token.length);
    }
  }
  return found;
}

function addMember(frame: Frame, json: string, offset: number): void {
  const { isArray, place, name = '', members } = frame;
  if (isArray || place === undefined) return;
  if (DISPLAY_MEMBERS.includes(name)) members[name] = { json, offset };
  if (!REFERENCE_MEMBERS.has(name)) return;
  // If a name occurs more than once, parsers disagree on which member counts.
  if (name === '"type"' && json === '"module"') frame.isModule = true;
  if (members[name] !== undefined) frame.repeatsMember = true;
  members[name] = { json, offset };
}

function addReference(
  found: FoundReference[],
  { place, path, members, isModule, repeatsMember, start }: Frame,
  end: number,
): void {
  const { '"moduleId"': moduleId, '"version"': version, '"asOf"': asOf } = members;
  if (!place || !path || !isModule || !moduleId) return;
  // The module replaces the whole reference, including any references inside it.
  while ((found.at(-1)?.start ?? 0) > start) found.pop();
  found.push({
    start,
    end,
    place,
    path,
    repeatsMember,
    moduleId: moduleId.json,
    version: version?.json,
    asOf: asOf?.json,
    display: DISPLAY_MEMBERS.flatMap((name) => {
      const json = members[name]?.json ?? '';
      return json.startsWith('"') ? [`${name}:${json}`] : [];
    }),
    offsets: { version: version?.offset, asOf: asOf?.offset },
  });
}

const MAX_NAME_LENGTH = 100;
const MAX_PATH_LENGTH = 500;

/** The steps of a path, from the first to the last. Long names are shortened. */
export function stepsOf(path: Path | undefined): string[] {
  const steps: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) steps.push(describeStep(at.step));
  return steps.reverse();
}

const describeStep = (step: number | string): string => {
  if (typeof step === 'number') return String(step);
  return step.length > MAX_NAME_LENGTH
    ? `${step.slice(1, MAX_NAME_LENGTH)}…`
    : (JSON.parse(step) as string);
};

/** Shortens a path for responses and statements. A path may be almost as long as the document. */
export const shortenPath = (path: string): string =>
  (path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path).toWellFormed();
