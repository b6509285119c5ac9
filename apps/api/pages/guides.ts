import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { rootDirectory } from '#config';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { htmlOf, link } from './html.js';

export const GUIDES_PATH = '/docs/guides';

interface Guide {
  title: string;
  html: string;
}

/** By the last segment of their paths. They are rendered once, on demand. */
type Guides = ReadonlyMap<string, Guide>;

/** `/docs/guides`: the pages of documentation that need no checkout to be useful. */
export function serveGuides(fastify: FastifyInstance): void {
  let guides: Guides | undefined;
  fastify.get(GUIDES_PATH, async (_request, reply) => {
    const items = [...(guides ??= await render())].map(
      ([name, { title }]) => `<li>${link(`${GUIDES_PATH}/${name}`, title)}</li>`,
    );
    const body = `<h1>Guides</h1>\n<ul>\n${items.join('\n')}\n</ul>`;
    return reply.type('text/html; charset=utf-8').send(htmlOf({ title: 'Guides · Galley', body }));
  });
  fastify.get<{ Params: { name: string } }>(`${GUIDES_PATH}/:name`, async (request, reply) => {
    const guide = (guides ??= await render()).get(request.params.name);
    if (guide === undefined) {
      reply.callNotFound();
      return reply;
    }
    return reply.type('text/html; charset=utf-8').send(guide.html);
  });
}

/** By the paths of their files in the repository. */
async function guideFiles(): Promise<Map<string, string>> {
  const files = (await readdir(join(rootDirectory, 'docs'))).filter((file) => file.endsWith('.md'));
  return new Map([
    ['README.md', 'overview'],
    ...files.sort().map((file): [string, string] => [`docs/${file}`, basename(file, '.md')]),
    ['libs/client/README.md', 'client'],
  ]);
}

async function render(): Promise<Guides> {
  const names = await guideFiles();
  const guides = new Map<string, Guide>();
  for (const [path, name] of names) {
    const markdown = await readFile(join(rootDirectory, path), 'utf8');
    const title = /^# (.*)/m.exec(markdown)?.[1] ?? name;
    const body = await markedFor(path, names).parse(markdown);
    guides.set(name, { title, html: htmlOf({ title: `${title} · Galley`, body }) });
  }
  return guides;
}

const markedFor = (path: string, names: ReadonlyMap<string, string>): Marked =>
  new Marked(gfmHeadingId(), {
    async: true,
    renderer: {
      // Drawing a diagram would take a script.
      code: ({ lang }) => (lang === 'mermaid' ? '' : false),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, path, names);
        return target === undefined ? text : link(target, text);
      },
    },
  });

/** Where a link of a file leads on the pages; undefined for a file that is only in the repository. */
function targetOf(
  href: string,
  path: string,
  names: ReadonlyMap<string, string>,
): string | undefined {
  if (/^(?:#|https:)/.test(href)) return href;
  const [to = '', fragment] = href.split('#');
  const file = posix.join(posix.dirname(path), to);
  if (file === 'openapi.json') return '/openapi.json';
  const name = names.get(file);
  return name && `${GUIDES_PATH}/${name}${fragment === undefined ? '' : `#${fragment}`}`;
}
