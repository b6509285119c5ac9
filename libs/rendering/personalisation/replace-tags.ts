import {
  isObject,
  Undrawable,
  type DocumentNode,
  type Place,
  type RenderWarnings,
} from '../document/index.js';
import {
  parseCondition,
  parseMergeTag,
  parseRepeat,
  SyntaxProblem,
  type MergeTag,
} from './expressions.js';
import type { Placeholders } from './placeholders.js';

// A long newsletter has a few hundred merge tags.
const MAX_TAGS = 10_000;
// Creating an `Intl` formatter takes up to 50 µs on the event loop.
const MAX_FILTERS = 100;
// The event loop needs 10 to 20 ms to receive this many values from the thread. A merge tag with a default consists of
// ten values.
const MAX_VALUES = 100_000;
const MAX_SHOWN = 100;
// Matches a merge tag, or a `{{` that begins no merge tag. A merge tag cannot contain braces.
export const TAG = /\{\{([^{}]*)\}\}|\{\{/g;
// `sampleData`, `variables` and `translations` are not part of the email.
const LITERAL_MEMBERS = new Set([
  'id',
  'type',
  '$module',
  'condition',
  'repeat',
  'sampleData',
  'variables',
  'translations',
]);

/**
 * Copies the document and replaces its merge tags with placeholders. Nodes with conditions and repetitions are
 * registered in `placeholders`. A merge tag that cannot be parsed stays text. A condition or repetition that cannot be
 * parsed is ignored. Each of them causes a warning.
 *
 * @throws Undrawable if the document has too many merge tags.
 */
export const replaceTags = (
  warnings: RenderWarnings,
  placeholders: Placeholders,
  document: DocumentNode,
): DocumentNode => {
  const place = { node: document, path: '' };
  return new Copier(warnings, placeholders).copyObject(document, place, '');
};

class Copier {
  /** The number of objects and values in all expressions. */
  private values = 0;

  constructor(
    private readonly warnings: RenderWarnings,
    private readonly placeholders: Placeholders,
  ) {}

  /**
   * @param place the node that a warning names: the nearest array element.
   * @param path the path of the object itself.
   */
  copyObject(value: DocumentNode, place: Place, path: string): DocumentNode {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        LITERAL_MEMBERS.has(name) ? member : this.copy(member, place, `${path}/${pointer(name)}`),
      ]),
    );
  }

  private copy(value: unknown, place: Place, path: string): unknown {
    if (typeof value === 'string') return this.copyText(value, place);
    if (isObject(value)) return this.copyObject(value, place, path);
    if (!Array.isArray(value)) return value;
    return value.map((each: unknown, index) => {
      const pathOfElement = `${path}/${index}`;
      if (!isObject(each)) return this.copy(each, place, pathOfElement);
      const element = { node: each, path: pathOfElement };
      const copied = this.copyObject(each, element, pathOfElement);
      this.register(copied, element);
      return copied;
    });
  }

  private copyText(text: string, place: Place): string {
    return text.replace(TAG, (match: string, source?: string) => {
      if (source === undefined) {
        this.warnings.add(
          place,
          'A merge tag begins with {{ but has no }}, so it is shown as text.',
        );
        return match;
      }
      const tag = this.parse(
        place,
        `The merge tag ${match.slice(0, MAX_SHOWN)} is shown as text`,
        () => parseTag(source),
      );
      if (tag === undefined) return match;
      if (this.placeholders.tags.length === MAX_TAGS) {
        throw new Undrawable('it has more than 10,000 merge tags.');
      }
      const placeholder = this.placeholders.addTag(tag);
      if (this.placeholders.filters.size > MAX_FILTERS) {
        throw new Undrawable('it has more than 100 different filters.');
      }
      return placeholder;
    });
  }

  private register(copied: DocumentNode, place: Place): void {
    const condition = this.parseMember(place, 'condition', parseCondition);
    const repeat = this.parseMember(place, 'repeat', parseRepeat);
    if (condition ?? repeat) this.placeholders.addNode(copied, { condition, repeat });
  }

  private parseMember<Parsed>(
    place: Place,
    name: string,
    parse: (source: string) => Parsed,
  ): Parsed | undefined {
    const value = place.node[name];
    // Editors store empty strings for members that are not set.
    if (value === undefined || value === null || value === '') return undefined;
    return this.parse(place, `${name} is left out`, () => {
      if (typeof value !== 'string') throw new SyntaxProblem('it must be a string');
      return parse(value);
    });
  }

  private parse<Parsed>(
    place: Place,
    consequence: string,
    parse: () => Parsed,
  ): Parsed | undefined {
    try {
      const parsed = parse();
      this.values += countValues(parsed);
      if (this.values > MAX_VALUES) {
        throw new Undrawable('its merge tags, conditions and repetitions are too long in total.');
      }
      return parsed;
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      this.warnings.add(place, `${consequence}: ${error.message}.`);
      return undefined;
    }
  }
}

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1)
    : 1;

/** Escapes a name for a JSON Pointer (RFC 6901, section 3). */
const pointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const ENTITIES: Record<string, string> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
  '\u00a0': ' ',
};

/**
 * Parses the text between the braces of a merge tag. A merge tag in formatted text may contain HTML entities.
 *
 * @throws SyntaxProblem
 */
export const parseTag = (source: string): MergeTag => parseMergeTag(withoutEntities(source));

/** Rich-text editors write quotes as entities, and spaces as non-breaking spaces. */
const withoutEntities = (source: string): string =>
  source.replace(
    /&(?:quot|#3[49]|apos|lt|gt|amp|nbsp);|\u00a0/g,
    (entity) => ENTITIES[entity] ?? '',
  );
