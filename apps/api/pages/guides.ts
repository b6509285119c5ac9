import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { rootDirectory } from '#config';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { GuideSearch, renderSearchForm } from './guide-search.js';
import { link, type PageRenderer } from './html.js';
import { SCHEMA_PATH } from './schemas.js';
import { StaticDocument } from './static-document.js';

export const GUIDES_PATH = '/docs/guides';

interface Guide {
  title: string;
  body: string;
  isListed: boolean;
}

/** The guides by slug. A slug is the last segment of the URL of a guide. */
type Guides = ReadonlyMap<string, Guide>;

interface Pages {
  /** The pages by slug. The page that lists the guides has an empty slug. */
  documents: ReadonlyMap<string, StaticDocument>;
  renderResults: (query: string) => Promise<string>;
}

interface GuideRoute {
  Params: { name?: string };
  Querystring: { q?: string | string[] };
}

/**
 * Serves `/docs/guides`: the documentation pages that are useful to readers without a checkout. `/docs/guides?q=…`
 * searches these pages.
 */
export function serveGuides(fastify: FastifyInstance, renderer: PageRenderer): void {
  const loadPages = loadOnce(async () => renderPages(await readGuides(), renderer));
  fastify.get<GuideRoute>(`${GUIDES_PATH}/:name?`, async (request, reply) => {
    const pages = await loadPages();
    const { name = '' } = request.params;
    const query = String(request.query.q ?? '').trim();
    if (name === '' && query !== '') {
      return reply.type('text/html; charset=utf-8').send(await pages.renderResults(query));
    }
    const page = pages.documents.get(name);
    if (page === undefined) {
      reply.callNotFound();
      return reply;
    }
    return page.send(request, reply);
  });
}

/** Maps the path of a guide's file in the repository to the slug of the guide. */
type Slugs = ReadonlyMap<string, string>;

/** The guides that the list shows, in this order. */
const LISTED: Slugs = new Map([
  ['README.md', 'overview'],
  ['docs/use/api.md', 'api'],
  ['docs/use/reuse.md', 'reuse'],
  ['docs/use/publishing.md', 'publishing'],
  ['docs/use/rendering.md', 'rendering'],
  ['docs/use/properties.md', 'properties'],
  ['docs/use/variables.md', 'variables'],
  ['docs/use/translations.md', 'translations'],
  ['docs/use/checking.md', 'checking'],
  ['docs/use/pictures.md', 'pictures'],
  ['docs/use/imports.md', 'imports'],
  ['docs/use/test-emails.md', 'test-emails'],
  ['docs/use/webhooks.md', 'webhooks'],
  ['docs/use/settings-area.md', 'settings-area'],
  ['docs/use/external-ids.md', 'external-ids'],
  ['docs/use/finding.md', 'finding'],
  ['docs/use/lists.md', 'lists'],
  ['docs/use/limits.md', 'limits'],
  ['docs/use/api-changes.md', 'api-changes'],
  ['libs/client/README.md', 'client'],
  ['docs/run/identity.md', 'identity'],
  ['docs/run/configuration.md', 'configuration'],
  ['docs/run/pictures.md', 'storing-pictures'],
  ['docs/run/operations.md', 'operations'],
  ['docs/run/high-availability.md', 'high-availability'],
  ['docs/run/metrics.md', 'metrics'],
  ['docs/run/upgrades.md', 'upgrades'],
  ['docs/run/runbooks/README.md', 'runbooks'],
  ['docs/run/data-care.md', 'data-care'],
  ['docs/run/isolation.md', 'isolation'],
  ['docs/run/reliability.md', 'reliability'],
  ['docs/run/scaling.md', 'scaling'],
  ['docs/run/threat-model.md', 'threat-model'],
]);

async function readGuides(): Promise<Guides> {
  const guides = new Map<string, Guide>();
  const slugs = new Map([...LISTED, ...(await findRunbooks())]);
  for (const [path, slug] of slugs) {
    const markdown = await readFile(join(rootDirectory, path), 'utf8');
    const title = /^# (.*)/m.exec(markdown)?.[1] ?? slug;
    const body = await createMarked(path, slugs).parse(markdown);
    guides.set(slug, { title, body, isListed: LISTED.has(path) });
  }
  return guides;
}

/** The runbooks, one for each alert. The list omits them, because the guide to the runbooks links to them. */
async function findRunbooks(): Promise<Slugs> {
  const slugs = new Map<string, string>();
  for await (const path of glob('docs/run/runbooks/*/*.md', { cwd: rootDirectory })) {
    slugs.set(path, `runbook-${posix.basename(path, '.md')}`);
  }
  return slugs;
}

function renderPages(guides: Guides, renderer: PageRenderer): Pages {
  const render = (title: string, body: string) =>
    renderer.render({ title, path: GUIDES_PATH, styles: ['guides.css'], body });
  const linksTo = (currentSlug?: string): string =>
    list(
      [...guides]
        .filter(([, { isListed }]) => isListed)
        .map(([slug, { title }]) => link(`${GUIDES_PATH}/${slug}`, title, slug === currentSlug)),
    );
  const loadSearch = loadOnce(() =>
    GuideSearch.index([...guides].map(([slug, { body }]) => [`${GUIDES_PATH}/${slug}`, body])),
  );
  const documents = new Map<string, StaticDocument>();
  const add = (slug: string, html: string) =>
    documents.set(slug, new StaticDocument('text/html; charset=utf-8', html));
  add('', render('Guides · Galley', withSearch('Guides', linksTo())));
  for (const [slug, { title, body }] of guides) {
    add(slug, render(`${title} · Galley`, withNavigation(body, linksTo(slug))));
  }
  const renderResults = async (query: string) => {
    const search = await loadSearch();
    return render('Search · Galley', withSearch('Search', search.render(query), query));
  };
  return { documents, renderResults };
}

/** Runs `load` once for all callers, and again only if it failed. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}

const withSearch = (heading: string, content: string, query?: string): string =>
  `<main>\n<h1>${heading}</h1>\n${renderSearchForm(GUIDES_PATH, query)}\n${content}\n</main>`;

const list = (links: string[]): string =>
  `<ul>\n${links.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

/**
 * Adds links to all guides and to the sections of the current guide. On wide screens, the links are beside the guide;
 * on narrow screens, they are collapsed above the guide.
 */
function withNavigation(body: string, guideLinks: string): string {
  const headings = [...body.matchAll(/<h2 id="([^"]+)">(.*)<\/h2>/g)];
  const sectionLinks = list(
    headings.map(([, id = '', html = '']) => link(`#${id}`, html.replace(/<[^>]+>/g, ''))),
  );
  const form = renderSearchForm(GUIDES_PATH);
  return `<div class="guide">
<details><summary>All guides</summary>${form}<nav aria-label="Guides">${guideLinks}</nav></details>
<details><summary>On this page</summary><nav aria-label="Sections">${sectionLinks}</nav></details>
<div class="guides">${form}<nav aria-label="Guides"><h2>Guides</h2>${guideLinks}</nav></div>
<main>
${body}
</main>
<nav class="sections" aria-label="Sections"><h2>On this page</h2>${sectionLinks}</nav>
</div>`;
}

const createMarked = (path: string, slugs: Slugs): Marked =>
  new Marked(gfmHeadingId(), {
    async: true,
    renderer: {
      // The pages omit diagrams, because browsers need a script to draw them.
      code: ({ lang }) => (lang === 'mermaid' ? '' : false),
      // The images show the settings area. The pages omit the images, because readers can open the settings area
      // instead.
      image: () => '',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolveLink(href, path, slugs);
        return target === undefined ? text : link(target, text);
      },
    },
  });

/** Resolves a link between files to the URL of a page. Returns undefined if no page shows the linked file. */
function resolveLink(href: string, path: string, slugs: Slugs): string | undefined {
  if (/^(?:#|https:)/.test(href)) return href;
  const [linkedPath = '', fragment] = href.split('#');
  const file = posix.join(posix.dirname(path), linkedPath);
  if (file === 'openapi.json') return '/openapi.json';
  if (file === 'docs/README.md') return GUIDES_PATH;
  if (file === `docs${SCHEMA_PATH}`) return SCHEMA_PATH;
  const slug = slugs.get(file);
  return slug && `${GUIDES_PATH}/${slug}${fragment === undefined ? '' : `#${fragment}`}`;
}
