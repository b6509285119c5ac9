import type { JsonText } from '#json';

/** The arrays of a document in which a reference may stand, and the kind of node that each array takes. */
const PLACES = new Map<string | undefined, Place>([
  ['"stripes"', 'stripe'],
  ['"containers"', 'container'],
  ['"blocks"', 'block'],
]);

export type Place = 'stripe' | 'container' | 'block';

/**
 * The steps from a document to a place in it, the last step first. References share the steps that they have in
 * common, because the names may be almost as long as the document.
 */
export interface Path {
  parent: Path | undefined;
  /** An index, or the JSON of a name. */
  step: number | string;
}

/** A reference to a module, as it stands in the text of a document. */
export interface FoundReference {
  /** The offset of the first character, and the offset after the last one. */
  start: number;
  end: number;
  place: Place;
  path: Path;
  /** Whether one of the members that make a reference is there twice. */
  repeatsMember: boolean;
  /**
   * The JSON of the members; undefined if the reference does not have the member.
   * If the value is an object or array, this is only its first character.
   */
  moduleId: string;
  version: string | undefined;
  asOf: string | undefined;
  /** When and how often to show the module, as members of JSON, such as `"repeat":"line in lines"`. */
  display: string[];
  /** Where the JSON of `version` and `asOf` begins. */
  offsets: { version: number | undefined; asOf: number | undefined };
}

interface Member {
  json: string;
  offset: number;
}

interface Frame {
  isArray: boolean;
  start: number;
  /** The place of the elements of an array, or of an object. */
  place: Place | undefined;
  /** The JSON of the name of the current member. */
  name: string | undefined;
  index: number;
  /** Undefined for the document itself. */
  path: Path | undefined;
  members: Record<string, Member>;
  isModule: boolean;
  repeatsMember: boolean;
}

// A string, a number or literal, or a punctuation mark, after white space.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[\w.+-]+|[{}[\],:])/y;
// Takes 0.1 ms or less.
const TOKENS_BETWEEN_CHECKPOINTS = 200;
const REFERENCE_MEMBERS = new Set(['"type"', '"moduleId"', '"version"', '"asOf"']);
const DISPLAY_MEMBERS = ['"condition"', '"repeat"', '"visibility"'];

/**
 * Finds the references to modules in a document: the objects `{"type":"module","moduleId":…}` that are
 * elements of an array named `stripes`, `containers` or `blocks`. Most documents have none, and are not read.
 * Names and the type count only in their usual spelling, without escapes.
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
  // A parser may take any of several members with the same name.
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
  // The module replaces the whole reference, with whatever the reference contains.
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

/** The names and indexes of paths, the first step first. Long names are shortened. */
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

/** Paths are in responses and statements, so a path must not be as long as the document. */
export const shortenPath = (path: string): string =>
  (path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path).toWellFormed();
