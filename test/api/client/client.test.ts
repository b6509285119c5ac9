import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { onPath } from '../../bench/programs.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

const run = promisify(execFile);
const binFolder = resolve('node_modules/.bin');
let directory: string;
const galley = useSharedGalley();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'galley-client-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return new Map(paths.map((path, index) => [path.slice(folder.length), texts[index] ?? '']));
}

it('is generated from the current openapi.json (else: npm run generate)', async () => {
  const env = { ...process.env, CLIENT_FOLDER: directory };
  await run(join(binFolder, 'openapi-ts'), ['--silent'], { env });
  const current = await filesIn('libs/client/generated');
  expect(current).toEqual(await filesIn(join(directory, 'generated')));
});

/** A program of a user who has only the package. */
const sampleProgram = `
import { createClient, createTemplate, createWorkspace, GalleyError, listTemplates, paginate, type Template } from 'galley-client';

const [baseUrl = '', token] = process.argv.slice(2);
const client = createClient({ baseUrl, auth: token });

const { data: workspace } = await createWorkspace({ client, body: { name: 'Mine' } });
const { data } = await createTemplate({
  client,
  body: { workspaceId: workspace.id, name: 'Hello', content: { stripes: [], mine: 1 } },
});
const template: Template = data;
const query = { workspaceId: workspace.id };
const names: string[] = [];
for await (const { name } of paginate(listTemplates, { client, query })) names.push(name);
const refused = await createTemplate({ client, body: { ...query, name: '' } }).catch((error: unknown) => error);
if (!(refused instanceof GalleyError)) throw refused;
// @ts-expect-error: a template has no pages
void (() => paginate(createTemplate, { client, body: { ...query, name: '' } }));
// @ts-expect-error: a call names its client
void (() => listTemplates({ query }));
// @ts-expect-error: a name is a text
void (() => createWorkspace({ client, body: { name: 7 } }));
console.log(JSON.stringify([template.name, names, refused.message, refused.statusCode, refused.code]));
`;

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** All code blocks of the README in order, with the parts that the README leaves to its readers. */
async function readmeProgram(workspaceId: string, webhookId: string): Promise<string> {
  const copy = { id: 'copy', name: 'Copy', workspaceId, externalId: null, version: 1 };
  const data = { ...copy, sourceId: 'original' };
  const body = JSON.stringify({ event: 'template.duplicated', timestamp: '', data });
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
  };
  const readme = await readFile('libs/client/README.md', 'utf8');
  const codeBlocks = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
  const code = codeBlocks
    .join('\n')
    .replace('https://galley.example.com', galley.url)
    .replace('listen(8080)', "listen(0, '127.0.0.1')");
  return `const workspaceId = '${workspaceId}';
${code}
const notification = JSON.parse(${JSON.stringify(body)}) as WebhookNotification;
const last = (await getTemplate({ client, path })).response?.headers.get('etag') ?? '';
const unchanged = await getTemplate({
  client, path, headers: { 'If-None-Match': last }, throwOnError: false,
});
interface Mine { stripes: { text: string }[]; }
const mine: Mine = { stripes: [] };
// @ts-expect-error: an interface might have other fields of other types
void (() => updateTemplate({ client, path, body: { content: mine } }));
// The list leaves out the latest changes while an older transaction of another test is open.
async function followBoth() {
  for (let round = 0; copy.size < 2 && round < 200; round++) {
    await follow();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return copy.size;
}
console.log(JSON.stringify([
  page?.data.length, saved.data?.name, current?.name,
  unchanged.response?.status, unchanged.data ?? 'nothing', unchanged.error?.code,
  after, await followBoth(), (copy.clear(), await follow(), copy.size), await findTemplate('00000000-0000-7000-8000-000000000000') ?? 'nothing',
  await deliverAgain('${webhookId}', '2026-01-01T00:00:00Z', true),
  await deliverAgain('${webhookId}', '2026-01-01T00:00:00Z', false),
  describe(notification),
]));
const genuine = ${JSON.stringify(headers)};
const send = (headers: Record<string, string>) =>
  fetch(\`http://127.0.0.1:\${(receiver.address() as { port: number }).port}\`, {
    method: 'POST', headers, body: JSON.stringify(notification),
  }).then(({ status }) => status);
console.log(JSON.stringify([await send({}), await send(genuine), await send(genuine)]));
receiver.close();`;
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    outDir: 'built',
    // The programs use `process`. Its types are the only ones that the programs take from this repository.
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  },
};

it('packs into a package that compiles and works in a project of its own', async () => {
  const source = join(directory, 'source');
  await cp('libs/client', source, { recursive: true });
  const env = { ...process.env, PATH: `${binFolder}:${process.env['PATH'] ?? ''}` };
  await run('npm', ['pack', '--silent'], { cwd: source, env });
  const [archive = ''] = (await readdir(source)).filter((name) => name.endsWith('.tgz'));

  const projectOptions = { cwd: join(directory, 'project') };
  await mkdir(projectOptions.cwd);
  await writeFile(join(projectOptions.cwd, 'package.json'), '{"type":"module","private":true}');
  await writeFile(join(projectOptions.cwd, 'main.ts'), sampleProgram);
  const ada = await galley.clientFor('ada');
  const token = ada.token ?? '';
  const workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const webhook = { workspaceId, url: 'https://example.com/', events: ['module.created'] };
  const { id: webhookId } = (await ada.post<{ id: string }>('/api/webhooks', webhook)).body;
  await writeFile(
    join(projectOptions.cwd, 'readme.ts'),
    await readmeProgram(workspaceId, webhookId),
  );
  await writeFile(join(projectOptions.cwd, 'tsconfig.json'), JSON.stringify(tsconfig));
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(source, archive)];
  await run('npm', install, projectOptions);
  await run(join(binFolder, 'tsc'), ['--project', '.'], projectOptions).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
  const { stdout } = await run('node', ['built/main.js', galley.url, token], projectOptions);
  expect(JSON.parse(stdout)).toEqual([
    'Hello',
    ['Hello'],
    'name must not be empty.',
    400,
    'invalid',
  ]);

  const readmeOptions = {
    env: { ...process.env, GALLEY_KEY: token, GALLEY_SECRETS: `${OTHER_SECRET},${SECRET}` },
  };
  const readme = await run('node', ['built/readme.js'], { ...projectOptions, ...readmeOptions });
  const [refusalMessage, first, second, results = '', ...receiverLines] = readme.stdout.split('\n');
  expect([refusalMessage, first, second]).toEqual([
    'name must not be empty.',
    'Goodbye',
    'Welcome',
  ]);
  expect(JSON.parse(results)).toEqual([
    1,
    'Welcome aboard',
    'Welcome aboard',
    304,
    'nothing',
    'not_modified',
    0,
    2,
    0,
    'nothing',
    '0 to send',
    '0 under way',
    'original has the copy copy',
  ]);
  // The first request is not signed. The third request repeats the id of the second one, so the receiver
  // prints the event only once.
  expect(receiverLines).toEqual(['original has the copy copy', '[401,204,204]', '']);
});

// A machine may have no browser; then the test is reported as skipped.
const browserExecutable = (await onPath('chromium')) ?? (await onPath('google-chrome'));

(browserExecutable ? it : it.skip)('works in a browser, on a page of the same origin', async () => {
  const modules = join(directory, 'modules');
  await run(join(binFolder, 'tsc'), ['--project', 'libs/client', '--outDir', modules]);
  const browser = await chromium.launch({
    ...(browserExecutable && { executablePath: browserExecutable }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.route('**/client/**', async (route) => {
      const path = new URL(route.request().url()).pathname.replace('/client/', '');
      if (path === 'page') {
        await route.fulfill({ body: '', contentType: 'text/html' });
        return;
      }
      await route.fulfill({ path: join(modules, path), contentType: 'text/javascript' });
    });
    // A page of the API itself would forbid scripts.
    await page.goto(`${galley.url}/client/page`);
    const { token } = await galley.clientFor('ada');
    const browserScript = `(async () => {
      const galley = await import('/client/index.js');
      const client = galley.createClient({ baseUrl: location.origin, auth: '${token ?? ''}' });
      const { data } = await galley.createWorkspace({ client, body: { name: 'Mine' } });
      const path = { id: '${randomUUID()}' };
      const error = await galley.getTemplate({ client, path }).catch((thrown) => thrown);
      return [data.name, error instanceof galley.GalleyError, error.code];
    })()`;
    expect(await page.evaluate(browserScript)).toEqual(['Mine', true, 'not_found']);
  } finally {
    await browser.close();
  }
});
