import { isObject, type Place } from '../../mjml/drawing.js';
import { defineRules } from '../rule.js';

const MERGE_TAG = /\{\{([^{}]{1,200})\}\}/g;
const HAS_DEFAULT = /\|\s*default\b/;
// Signs of other template languages that begin a condition, a loop, a comment or a partial.
const NO_VALUE = /^[#/^>!%&]|^else$/;
// The sender's program always knows the addresses of an email.
const ALWAYS_KNOWN = /unsubscribe|preferences|(?:url|link)$/i;
// The data of a document may be nested as deep as a document.
const MAX_DEPTH = 64;

/** Whether a text has a merge tag, of Galley or of a service that sends the email. */
export const hasMergeTag = (text: string): boolean => /\{\{|\{%|\[\[|\*\||%%|\$\{/.test(text);

export const mergeTagRules = defineRules([
  {
    name: 'merge-tag-without-default',
    severity: 'info',
    help: 'Add a default for readers of whom the value is not known: {{user.name | default: "friend"}}.',
    *find({ document, blocks }) {
      const seen = new Set<string>();
      const { title, preheader } = document.node;
      const places: [Place, unknown][] = blocks.map((place) => [place, place.node['props']]);
      places.unshift([document, [title, preheader]]);
      for (const [place, value] of places) {
        for (const tag of tagsIn(value)) {
          if (seen.has(tag)) continue;
          seen.add(tag);
          yield { place, message: `The merge tag ${tag} has no default.` };
        }
      }
    },
  },
]);

/** The merge tags without a default in the texts of a value. */
function* tagsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') {
    for (const [tag, inside = ''] of value.matchAll(MERGE_TAG)) {
      const name = inside.trim();
      const isValue = name !== '' && !NO_VALUE.test(name);
      if (isValue && !HAS_DEFAULT.test(name) && !ALWAYS_KNOWN.test(name)) yield tag;
    }
  } else if (depth < MAX_DEPTH && (Array.isArray(value) || isObject(value))) {
    for (const each of Object.values(value)) yield* tagsIn(each, depth + 1);
  }
}
