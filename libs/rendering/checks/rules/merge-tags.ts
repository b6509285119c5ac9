import { inboxTexts, isObject, type DocumentNode } from '../../document/index.js';
import { parseRepeat, parseTag, SyntaxProblem, TAG } from '../../personalisation/index.js';
import { defaultsIn, hasDefault, type Defaults } from '../../variables/index.js';
import { defineRules } from '../rule.js';

// Merge tags with these names stand for links, which the program that sends the email always supplies.
const ALWAYS_KNOWN = /unsubscribe|preferences|(?:url|link)$/i;
// Limits the recursion. More deeply nested values are not searched.
const MAX_DEPTH = 64;
const MAX_NAMED = 5;

/** Whether a text contains a merge tag in the syntax of Galley or of an email service provider. */
export const hasMergeTag = (text: string): boolean => /\{\{|\{%|\[\[|\*\||%%|\$\{/.test(text);

export const mergeTagRules = defineRules([
  {
    name: 'merge-tag-without-default',
    severity: 'info',
    help: 'Add a default for readers for whom the data has no value: {{user.name | default: "friend"}}.',
    *find({ document, declaration: { schema }, blocks, missing }) {
      const items = new Set(itemsIn(document.node));
      const defaults = schema && defaultsIn(schema);
      const seen = new Set<string>();
      const places = blocks.map((place) => ({ place, value: place.node['props'] }));
      places.unshift({ place: document, value: ownTexts(document.node) });
      for (const { place, value } of places) {
        const tags = Array.from(new Set(tagsIn(value, items, missing, defaults))).filter(
          (tag) => !seen.has(tag),
        );
        if (tags.length === 0) continue;
        tags.forEach((tag) => seen.add(tag));
        yield { place, message: messageOf(tags) };
      }
    },
  },
]);

/** The texts of the document itself. */
const ownTexts = (document: DocumentNode): unknown[] =>
  ['title', ...inboxTexts].map((name) => document[name]);

function messageOf(tags: readonly string[]): string {
  if (tags.length === 1) return `The merge tag ${tags[0]} has no default.`;
  const named = tags.slice(0, MAX_NAMED).join(', ');
  return `${tags.length} merge tags have no default: ${named}${tags.length > MAX_NAMED ? ' …' : ''}.`;
}

/**
 * Yields the merge tags in a value that have no default. Merge tags of repeated items are skipped, because a node is
 * repeated only for items that exist in the data. With data, merge tags that have a value are skipped, too.
 */
function* tagsIn(
  value: unknown,
  items: ReadonlySet<string>,
  missing: ReadonlySet<string> | undefined,
  defaults: Defaults | undefined,
): Generator<string> {
  for (const text of textsIn(value)) {
    for (const [tag, inside] of text.matchAll(TAG)) {
      const parsed = inside === undefined ? undefined : readable(() => parseTag(inside));
      if (parsed === undefined || items.has(parsed.path[0] ?? '')) continue;
      const variable = parsed.path.join('.');
      const hasOwnDefault = parsed.filters.some(({ name }) => name === 'default');
      const isMissing = missing === undefined || missing.has(variable);
      if (hasOwnDefault || hasDefault(defaults, variable)) continue;
      if (isMissing && !ALWAYS_KNOWN.test(variable)) yield tag;
    }
  }
}

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (depth < MAX_DEPTH && (Array.isArray(value) || isObject(value))) {
    for (const each of Object.values(value)) yield* textsIn(each, depth + 1);
  }
}

/** Yields the names that nodes give to the items of repeated lists. */
function* itemsIn(value: unknown, depth = 0): Generator<string> {
  if (depth >= MAX_DEPTH || !(Array.isArray(value) || isObject(value))) return;
  if (isObject(value) && typeof value['repeat'] === 'string') {
    const { repeat } = value;
    const item = readable(() => parseRepeat(repeat))?.item;
    if (item !== undefined) yield item;
  }
  for (const each of Object.values(value)) yield* itemsIn(each, depth + 1);
}

/** Returns undefined for an expression that cannot be parsed. The rule `not-drawn` reports such expressions. */
function readable<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}
