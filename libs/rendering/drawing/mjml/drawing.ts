import type { ExpandProblem } from '#documents';
import {
  directionOf,
  directions,
  escapeText,
  isObject,
  MAX_RESULT_CHARACTERS,
  missingModule,
  RESULT_TOO_LARGE,
  textIn,
  Undrawable,
  type Direction,
  type DocumentNode,
  type Place,
  type RenderWarnings,
} from '../../document/index.js';
import { iconUrl, type IconName } from '../../icons/index.js';
import type { Placeholders } from '../../personalisation/index.js';
import { Fonts } from './fonts.js';
import type { MjmlNode } from './mjml-node.js';
import { StyleSheet } from './overrides/style-sheet.js';

// Each node adds up to 1.5 KB to the HTML. A long newsletter has about 300 nodes.
const MAX_NODES = 10_000;

/** Collects the warnings about one document, counts its nodes, and marks its conditions and repetitions. */
export class Drawing {
  readonly direction: Direction;
  readonly fonts: Fonts;
  /** Whether the document needs the style sheet that hides nodes. */
  usesVisibility = false;
  /** Whether a column has a background picture, or a video has a play button. */
  needsOwnComponents = false;
  private nodeCount = 0;
  private characters = 0;
  private hasInlineIcons = false;
  readonly styleSheet = new StyleSheet();

  constructor(
    private readonly placeholders: Placeholders,
    private readonly warnings: RenderWarnings,
    document: DocumentNode,
    private readonly publicUrl?: string,
  ) {
    this.fonts = new Fonts(document, (place, message) => this.warn(place, message));
    const ofLanguage = directionOf(textIn(document, 'language'));
    const place = { node: document, path: '' };
    this.direction = this.valueOr(
      ofLanguage,
      place,
      'direction',
      document['direction'],
      isDirection,
    );
  }

  warn(place: Place, message: string): void {
    this.warnings.add(place, message);
  }

  /**
   * Returns the objects in an array of a node, with their paths.
   *
   * @throws Undrawable if the document has too many nodes.
   */
  placesIn(place: Place, member: string): Place[] {
    const value = place.node[member];
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.warn(place, `${member} is left out: it must be a list.`);
      return [];
    }
    this.countNodes(value.length);
    const places = value.flatMap((each: unknown, index) =>
      isObject(each) ? [{ node: each, path: `${place.path}/${member}/${index}` }] : [],
    );
    if (places.length < value.length) {
      this.warn(place, `Elements of ${member} that are not objects are left out.`);
    }
    for (const each of places) this.warnOfMissingModule(each);
    return places;
  }

  /** @throws Undrawable if the document has too many nodes. */
  countNodes(count: number): void {
    this.nodeCount += count;
    if (this.nodeCount > MAX_NODES) {
      throw new Undrawable('it has more than 10,000 stripes, containers, blocks and links.');
    }
  }

  /**
   * Returns the value if it is valid, and the default otherwise. An invalid value causes a warning; a missing value
   * does not.
   */
  valueOr<Value>(
    defaultValue: Value,
    place: Place,
    name: string,
    value: unknown,
    isValid: (value: unknown) => value is Value,
  ): Value {
    if (value === undefined) return defaultValue;
    if (isValid(value)) return value;
    this.warn(place, `${name} has an invalid value, and is ignored.`);
    return defaultValue;
  }

  /**
   * Counts the characters of a cell. A table may have more cells than a document may have nodes, and MJML needs a
   * multiple of their memory.
   *
   * @throws Undrawable if there are more characters than the result may have.
   */
  countCharacters(count: number): void {
    this.characters += count;
    if (this.characters > MAX_RESULT_CHARACTERS) throw new Undrawable(RESULT_TOO_LARGE);
  }

  /** Returns the address of an icon. Without a public URL, the HTML contains the icon, and a warning says so. */
  iconUrl(name: IconName): string {
    if (this.publicUrl === undefined && !this.hasInlineIcons) {
      this.hasInlineIcons = true;
      this.warn(ICONS_PLACE, INLINE_ICONS);
    }
    return iconUrl(name, this.publicUrl);
  }

  private warnOfMissingModule(place: Place): void {
    const missing = missingModule(place.node);
    if (missing === undefined) return;
    const { id, problem } = missing;
    const reason = Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : 'cannot be found';
    this.warn(place, `The module ${id} is left out: it ${reason}.`);
  }

  /** Puts marks around the elements of a node that has a condition or a repetition. */
  mark({ node }: Place, elements: MjmlNode[]): MjmlNode[] {
    const marks = this.placeholders.marksOf(node);
    if (marks === undefined) return elements;
    return [raw(marks.begin)].concat(elements, raw(marks.end));
  }

  /** Puts marks around the HTML or text of a node, such as a table row, if the node has a condition or a repetition. */
  markText(node: object, html: string): string {
    const marks = this.placeholders.marksOf(node);
    return marks === undefined ? html : marks.begin + html + marks.end;
  }

  /** Returns an HTML comment in place of a node that Galley cannot draw, and adds a warning. */
  leaveOut(place: Place, what: string): MjmlNode {
    this.warn(place, `${what} is left out.`);
    // A comment must contain neither `--` nor `>`. It must not contain `[if` either, which begins a conditional comment
    // for Outlook.
    const text = escapeText(`${what} at ${place.path}`).replace(/[-[\]]/g, ' ');
    return raw(`<!-- Left out: ${text} -->`);
  }
}

const ICONS_PLACE = { node: {}, path: '' };
const INLINE_ICONS =
  'Gmail and Outlook do not show icons such as those of social networks, because the HTML contains them. To have addresses instead, the operator of Galley must set PUBLIC_URL. Or set src.';

const isDirection = (value: unknown): value is Direction => directions.includes(value as Direction);

const raw = (content: string): MjmlNode => ({ tagName: 'mj-raw', content });

const PROBLEMS: Record<string, string> = {
  not_found: 'was deleted, or you may not read it',
  wrong_kind: 'now has a type that does not fit here',
  too_deep: 'is nested more than five modules deep',
  too_large: 'would make the document too large',
} satisfies Record<ExpandProblem, string>;
