import { setImmediate as nextIteration } from 'node:timers/promises';
import { escapeUTF8 } from 'entities/escape';
import MiniSearch from 'minisearch';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { link } from './html.js';

type Node = DefaultTreeAdapterTypes.Node;

interface Section {
  url: string;
  /**
   * The title of the guide, followed by the heading of the section. The first section of a guide has only the title.
   */
  headings: string[];
  text: string;
}

// Longer queries would only waste time: the longest name in the guides has 40 characters.
const MAX_QUERY_LENGTH = 100;
// Each word of a query takes up to half a millisecond, in which the process handles no other request.
const MAX_WORDS = 8;
const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 220;
/** An excerpt begins about this many characters before the first match. */
const EXCERPT_LEAD = 60;

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Searches the guides section by section. A section matches if it contains every word of the query. If no section does,
 * as for a question in full sentences, a section matches if it contains any of the words. Misspelt and unfinished words
 * match too.
 */
export class GuideSearch {
  private readonly sections: Section[] = [];
  private readonly index = new MiniSearch<Section & { id: number }>({
    fields: ['headings', 'text'],
    tokenize: (text) => text.match(WORD) ?? [],
    searchOptions: {
      boost: { headings: 3 },
      combineWith: 'AND',
      // A shorter beginning would match too many words.
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 1 : false),
    },
  });

  /**
   * Indexes the guides. Other requests run between two guides, each of which takes up to 20 ms.
   *
   * @param guides the HTML of each guide by its URL, with a heading that has an `id` for each section.
   */
  static async index(guides: Iterable<[url: string, html: string]>): Promise<GuideSearch> {
    const search = new GuideSearch();
    for (const [url, html] of guides) {
      search.add(url, html);
      await nextIteration();
    }
    return search;
  }

  private add(url: string, html: string): void {
    const first = this.sections.length;
    this.sections.push(...readSections(url, html));
    this.index.addAll(
      this.sections.slice(first).map((section, position) => ({ ...section, id: first + position })),
    );
  }

  /** Returns the HTML of the matching sections, the best match first. */
  render(query: string): string {
    const distinct = new Set(query.slice(0, MAX_QUERY_LENGTH).toLowerCase().match(WORD));
    const words = [...distinct].slice(0, MAX_WORDS).join(' ');
    const withAll = this.index.search(words);
    const found = withAll.length > 0 ? withAll : this.index.search(words, { combineWith: 'OR' });
    if (found.length === 0) return NOTHING_FOUND;
    const items = found.slice(0, MAX_RESULTS).map(({ id, match }) => {
      const section = this.sections[Number(id)] as Section;
      return renderResult(section, Object.keys(match));
    });
    return `<ol class="results">\n${items.join('\n')}\n</ol>`;
  }
}

const NOTHING_FOUND = '<p>No guide contains any of these words. Try different words.</p>';

/** A search form. A page may contain several forms: each copy of the list of guides has one. */
export const renderSearchForm = (action: string, query = ''): string =>
  `<form role="search" action="${action}">
<input type="search" name="q" value="${escapeUTF8(query)}" maxlength="${MAX_QUERY_LENGTH}" aria-label="Search the guides" placeholder="Search the guides" required>
<button>Search</button>
</form>`;

function readSections(url: string, html: string): Section[] {
  const sections: Section[] = [];
  for (const node of parseFragment(html).childNodes) {
    const text = textOf(node);
    if (/^h[1-3]$/.test(node.nodeName) && 'attrs' in node) {
      const id = node.attrs.find(({ name }) => name === 'id')?.value ?? '';
      const [first] = sections;
      sections.push(
        first
          ? { url: `${url}#${id}`, headings: [first.headings[0] ?? '', text], text: '' }
          : { url, headings: [text], text: '' },
      );
    } else {
      const last = sections.at(-1);
      if (last) last.text += text;
    }
  }
  return sections;
}

/** Returns the text of an element. A space separates the words of neighbouring elements, such as table cells. */
function textOf(node: Node): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  const text = node.childNodes.map(textOf).join('');
  return /^(?:p|li|td|th|tr|pre)$/.test(node.nodeName) ? `${text} ` : text;
}

function renderResult({ url, headings, text }: Section, words: string[]): string {
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const heading = headings.map((part) => markWords(part, wanted)).join(' › ');
  return `<li>${link(url, heading)}<p>${markWords(excerptOf(text, wanted), wanted)}</p></li>`;
}

/** Returns the part of a text around the first match, or the beginning of the text if nothing matches. */
function excerptOf(text: string, words: RegExp): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const start = plain.lastIndexOf(' ', plain.search(words) - EXCERPT_LEAD) + 1;
  const excerpt = plain.slice(start, start + EXCERPT_LENGTH);
  if (start + excerpt.length === plain.length) return (start > 0 ? '… ' : '') + excerpt;
  return `${start > 0 ? '… ' : ''}${excerpt.slice(0, excerpt.lastIndexOf(' '))} …`;
}

/** Returns the text as HTML, with the words marked. `words` has a capturing group, so `split` returns the words too. */
const markWords = (text: string, words: RegExp): string =>
  text
    .split(words)
    .map((part, index) => (index % 2 === 1 ? `<mark>${escapeUTF8(part)}</mark>` : escapeUTF8(part)))
    .join('');
