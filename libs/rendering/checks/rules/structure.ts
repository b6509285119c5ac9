import { missingModule, objectIn, textIn } from '../../document/index.js';
import { hasMergeTag } from './merge-tags.js';
import { defineRules, type Found } from '../rule.js';
import type { Email } from '../email/email.js';

// The part of BCP 47 that emails need: `en`, `pt-BR`, `zh-Hans-CN`.
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i;
// The level of a heading block that sets no valid level.
const DEFAULT_LEVEL = 2;

export const structureRules = defineRules([
  {
    name: 'language-missing',
    severity: 'warning',
    help: 'Set `language` to the language of the text, such as en or pt-BR. Screen readers use it to choose a voice.',
    *find({ document }) {
      const language = textIn(document.node, 'language') ?? '';
      if (language === '') yield { place: document, message: 'The document has no language.' };
      else if (!LANGUAGE.test(language) && !hasMergeTag(language)) {
        const message = 'The `language` of the document is not a valid language tag.';
        yield { place: document, message };
      }
    },
  },
  {
    name: 'title-missing',
    severity: 'info',
    help: 'Set `title`. Browsers show it when readers open the email in a tab, and screen readers read it first.',
    *find({ document }) {
      if (isBlank(textIn(document.node, 'title'))) {
        yield { place: document, message: 'The document has no title of its own.' };
      }
    },
  },
  {
    name: 'heading-missing',
    severity: 'info',
    help: 'Add a block of the type `heading`. Users of screen readers jump from heading to heading.',
    *find(email) {
      const [text] = email.texts;
      if (text && headingsOf(email).length === 0) {
        yield { place: email.document, message: 'The email has no heading.' };
      }
    },
  },
  {
    name: 'heading-level-skipped',
    severity: 'warning',
    help: 'Do not skip levels: use level 2 after level 1, and level 3 after level 2. To change the size, set `font-size`.',
    *find(email) {
      let previous = 0;
      for (const { place, level } of headingsOf(email)) {
        if (previous > 0 && level > previous + 1) {
          const message = `A heading of level ${level} follows one of level ${previous}.`;
          yield { place, message };
        }
        previous = level;
      }
    },
  },
  {
    name: 'heading-repeated',
    severity: 'info',
    help: 'Keep one heading of level 1, which says what the email is about, and give the others level 2.',
    *find(email) {
      const [, ...others] = headingsOf(email).filter(({ level }) => level === 1);
      for (const { place } of others) {
        yield { place, message: 'The email has another heading of level 1 before this one.' };
      }
    },
  },
  {
    name: 'id-duplicate',
    severity: 'warning',
    help: 'Give each node an `id` of its own. Editors and comparisons of versions find nodes by their ids.',
    *find({ nodes, nodesOfModules }) {
      const ids = new Set<string>();
      for (const place of nodes) {
        const id = textIn(place.node, 'id') ?? '';
        // A module that is used twice contributes the same ids twice.
        if (id === '' || nodesOfModules.has(place)) continue;
        if (ids.has(id)) yield { place, message: 'Another node of the document has the same id.' };
        ids.add(id);
      }
    },
  },
  {
    name: 'module-missing',
    severity: 'error',
    help: 'If the module is in the trash, restore it. Otherwise, remove the reference. Other possible reasons are that you may not read the module, that its type does not fit here, that it is nested too deeply, or that it is too large.',
    *find({ missingModules }) {
      for (const place of missingModules) {
        const { id = '' } = missingModule(place.node) ?? {};
        const message = `The module ${id.slice(0, 100)} cannot be inserted here.`;
        yield { place, message };
      }
    },
  },
  {
    name: 'module-outdated',
    severity: 'info',
    help: 'Pin the latest version, or remove `version` from the reference, so that the latest version is always used.',
    *find({ nodes, latestVersions }) {
      for (const place of nodes) {
        const { id, name, version, pinned } = objectIn(place.node, '$module');
        if (pinned !== true || typeof id !== 'string' || typeof version !== 'number') continue;
        const latest = Object.hasOwn(latestVersions, id) ? latestVersions[id] : undefined;
        if (latest === undefined || version >= latest) continue;
        const shown = typeof name === 'string' ? name.slice(0, 100) : id;
        const message = `Version ${version} of the module ${shown} is pinned, but the latest version is ${latest}.`;
        yield { place, message };
      }
    },
  },
  {
    name: 'not-drawn',
    severity: 'warning',
    help: 'Use the types and properties from the guide "Render templates", or remove the parts that Galley does not know.',
    *find({ warnings, missingModules }) {
      const missing = new Set(missingModules.map(({ path }) => path));
      for (const { path, message, nodeId } of warnings) {
        // The rule `module-missing` already reports missing modules.
        if (missing.has(path)) continue;
        yield { place: { node: { id: nodeId }, path }, message };
      }
    },
  },
]);

const isBlank = (text = ''): boolean => text.trim() === '';

interface Heading extends Pick<Found, 'place'> {
  level: number;
}

const isLevel = (level: unknown): level is number =>
  Number.isInteger(level) && (level as number) >= 1 && (level as number) <= 6;

/** The headings that have text, from top to bottom, except headings that are shown only on phones. */
function headingsOf({ texts, mobileNodes }: Email): Heading[] {
  return texts.flatMap(({ place, type, rich }) => {
    if (rich.text === '' || mobileNodes.has(place)) return [];
    if (type !== 'heading') {
      const inside = rich.headings.filter(({ text }) => text !== '');
      return inside.map(({ level }) => ({ place, level }));
    }
    const { level } = objectIn(place.node, 'props');
    return [{ place, level: isLevel(level) ? level : DEFAULT_LEVEL }];
  });
}
