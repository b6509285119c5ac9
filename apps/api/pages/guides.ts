import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { rootDirectory } from '#config';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { renderPage, link } from './html.js';

export const GUIDES_PATH = '/docs/guides';

interface Guide {
  title: string;
  html: string;
}

/** By slug, which is the last segment of the URL. They are rendered once, on demand. */
type Guides = ReadonlyMap<string, Guide>;

/** `/docs/guides`: the pages of documentation that readers without a checkout can use. */
export function serveGuides(fastify: FastifyInstance): void {
  let guides: Guides | undefined;
  fastify.get(GUIDES_PATH, async (_request, reply) => {
    const items = [...(guides ??= await renderGuides())].map(
      ([slug, { title }]) => `<li>${link(`${GUIDES_PATH}/${slug}`, title)}</li>`,
    );
    const body = `<h1>Guides</h1>\n<ul>\n${items.join('\n')}\n</ul>`;
    return reply
      .type('text/html; charset=utf-8')
      .send(renderPage({ title: 'Guides · Galley', body }));
  });
  fastify.get<{ Params: { name: string } }>(`${GUIDES_PATH}/:name`, async (request, reply) => {
    const guide = (guides ??= await renderGuides()).get(request.params.name);
    if (guide === undefined) {
      reply.callNotFound();
      return reply;
    }
    return reply.type('text/html; charset=utf-8').send(guide.html);
  });
}

/** The slug of each guide by the path of its file in the repository, in the order of the list. */
const SLUGS_BY_PATH: ReadonlyMap<string, string> = new Map([
  ['README.md', 'overview'],
  ['docs/api.md', 'api'],
  ['docs/webhooks.md', 'webhooks'],
  ['docs/lists.md', 'lists'],
  ['docs/limits.md', 'limits'],
  ['docs/api-changes.md', 'api-changes'],
  ['libs/client/README.md', 'client'],
  ['docs/identity.md', 'identity'],
  ['docs/configuration.md', 'configuration'],
  ['docs/operations.md', 'operations'],
  ['docs/isolation.md', 'isolation'],
]);

async function renderGuides(): Promise<Guides> {
  const guides = new Map<string, Guide>();
  for (const [path, slug] of SLUGS_BY_PATH) {
    const markdown = await readFile(join(rootDirectory, path), 'utf8');
    const title = /^# (.*)/m.exec(markdown)?.[1] ?? slug;
    const body = await createMarked(path).parse(markdown);
    guides.set(slug, { title, html: renderPage({ title: `${title} · Galley`, body }) });
  }
  return guides;
}

const createMarked = (path: string): Marked =>
  new Marked(gfmHeadingId(), {
    async: true,
    renderer: {
      // A browser needs a script to draw a diagram, so the pages leave diagrams out.
      code: ({ lang }) => (lang === 'mermaid' ? '' : false),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolveLink(href, path);
        return target === undefined ? text : link(target, text);
      },
    },
  });

/** The target of a file's link on the pages; undefined if the linked file is only in the repository. */
function resolveLink(href: string, path: string): string | undefined {
  if (/^(?:#|https:)/.test(href)) return href;
  const [linkedPath = '', fragment] = href.split('#');
  const file = posix.join(posix.dirname(path), linkedPath);
  if (file === 'openapi.json') return '/openapi.json';
  const slug = SLUGS_BY_PATH.get(file);
  return slug && `${GUIDES_PATH}/${slug}${fragment === undefined ? '' : `#${fragment}`}`;
}
