import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExportDigest, type ExportLine } from '#transfer';
import { Client } from '../../support/api/client.js';
import { box, refer, text, withBlocks } from '../../support/api/references.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Program } from '../../support/processes/program.js';

let source: Galley;
let target: Galley;
let ada: Client;
let folder: string;
let file: string;
let workspaceId: string;

beforeAll(async () => {
  [source, target] = await Promise.all([startGalley(), startGalley({ worker: true })]);
  folder = await mkdtemp(join(tmpdir(), 'galley-export-'));
  file = join(folder, 'workspace.ndjson');
  ada = await verifiedClient(source);
  workspaceId = (await ada.post<{ id: string }>('/api/workspaces', { name: 'Newsletters' })).body
    .id;
});
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()]);
  await rm(folder, { recursive: true });
});

/** The owner of an imported workspace is found by a verified email address. */
async function verifiedClient(galley: Galley): Promise<Client> {
  const claims = { email_verified: true };
  const client = new Client(galley.url, await galley.issuer.token('ada', { claims }));
  await client.get('/api/auth/me');
  return client;
}

async function runTransfer(galley: Galley, ...args: string[]) {
  const program = new Program(
    process.execPath,
    ['dist/apps/maintenance/workspace.js', ...args],
    galley.environment,
  );
  const [code] = await program.exited;
  return { code, output: program.output };
}
const importTo = (galley: Galley, ...flags: string[]) =>
  runTransfer(galley, 'import', file, '--owner', 'ada@example.com', ...flags);

/** Creates modules that use each other, in several versions, and templates that use them. */
async function fillWorkspace(): Promise<void> {
  const post = async (path: string, body: object) =>
    (await ada.post<{ id: string }>(path, { workspaceId, name: 'A', ...body })).body.id;
  const inner = await post('/api/modules', {
    content: { ...box(), spelled: 1.5 },
    category: 'Footers',
    externalId: 'footers/1',
  });
  const outer = await post('/api/modules', { content: box(inner), tags: ['legal', 'used'] });
  await ada.put(`/api/modules/${inner}`, { content: { ...box(), blocks: [text('second')] } });
  await ada.put(`/api/modules/${outer}`, { content: { type: 'box', blocks: [refer(inner, 1)] } });
  const template = await post('/api/templates', {
    content: withBlocks(refer(outer)),
    tags: ['b', 'a'],
    externalId: 'crm/1',
  });
  for (let change = 0; change < 25; change++) {
    const content = withBlocks(refer(outer), text(`Größe ${change}`));
    await ada.put(`/api/templates/${template}`, { content });
  }
  await ada.put(`/api/templates/${template}`, { tags: ['c'] });
  await ada.send('PATCH', `/api/templates/${template}/versions/3`, {
    label: 'Approved',
    note: 'By legal.',
  });
  await post('/api/templates', { content: withBlocks(refer(inner, 1)) });
  await ada.put(`/api/workspaces/${workspaceId}/check-settings`, { errorsBlockPublishing: true });
}

interface Listed {
  id: string;
  name: string;
}

/** All that the API tells about the documents of a workspace, by name and version. */
async function readAll(client: Client, id: string) {
  const read = async (kind: 'template' | 'module') => {
    const list = await client.get<{ data: Listed[] }>(
      `/api/${kind}s?workspaceId=${id}&sort=createdAt&limit=100`,
    );
    return Promise.all(
      list.body.data.map(async (listed) => {
        const path = `/api/${kind}s/${listed.id}`;
        const [document, versions, usages] = await Promise.all([
          client.get<object>(`${path}?expand=modules`),
          client.get<object>(`${path}/versions?content=true&expand=modules&limit=100`),
          kind === 'module' ? client.get<object>(`${path}/usages`) : undefined,
        ]);
        return { document: document.body, versions: versions.body, usages: usages?.body };
      }),
    );
  };
  const settings = await client.get<object>(`/api/workspaces/${id}/check-settings`);
  return {
    templates: await read('template'),
    modules: await read('module'),
    settings: settings.body,
  };
}

it('an exported workspace is the same elsewhere, and an interrupted import continues', async () => {
  await fillWorkspace();
  const exported = await runTransfer(source, 'export', workspaceId, file);
  expect(exported).toEqual({ code: 0, output: `Exported the workspace to ${file}.\n` });

  const owner = await verifiedClient(target);
  // The import stops where it stores templates, after it has created the workspace.
  await target.database.query(
    `ALTER TABLE documents ADD CONSTRAINT refuses CHECK (version < 20) NOT VALID`,
  );
  expect((await importTo(target)).code).toBe(1);
  expect((await owner.get(`/api/workspaces/${workspaceId}`)).status).toBe(403);
  await target.database.query('ALTER TABLE documents DROP CONSTRAINT refuses');
  const imported = await importTo(target);
  expect(imported.output).toContain(`Imported and verified the workspace ${workspaceId}`);
  expect(await readAll(owner, workspaceId)).toEqual(await readAll(ada, workspaceId));
  const byExternalId = `/api/templates/by-external-id/crm%2F1?workspaceId=${workspaceId}`;
  expect((await owner.get<Listed>(byExternalId)).body.name).toBe('A');

  await eventually('the search to find an imported template', async () => {
    const { body } = await owner.get<{ data: Listed[] }>(
      `/api/search?workspaceId=${workspaceId}&query=grosse`,
    );
    return body.data.length === 1;
  });
  const [template] = (
    await owner.get<{ data: Listed[] }>(`/api/templates?workspaceId=${workspaceId}&tags=c`)
  ).body.data;
  const changed = await owner.put<{ version: number }>(`/api/templates/${template?.id}`, {
    name: 'B',
  });
  expect(changed.body.version).toBe(27);
  expect((await importTo(target)).output).toContain('already exists in this database');
});

it('an import with new ids changes the references, too', async () => {
  const imported = await importTo(source, '--new-ids');
  expect(imported.output).toContain('Imported and verified');
  const id = /[\da-f-]{36}/.exec(imported.output)?.[0] ?? '';
  expect(id).not.toBe(workspaceId);
  const [original, copy] = [await readAll(ada, workspaceId), await readAll(ada, id)];
  const withoutIds = (value: object) =>
    JSON.stringify(value).replaceAll(
      /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
      'id',
    );
  expect(withoutIds(copy)).toBe(withoutIds(original));
  const ids = new Set(
    [...original.modules, ...original.templates].map(({ document }) => (document as Listed).id),
  );
  expect([...ids].filter((each) => JSON.stringify(copy).includes(each))).toEqual([]);
});

it('an export of Galley 0.1.0 is imported, and its documents go on', async () => {
  const owner = await verifiedClient(target);
  const path = 'test/samples/workspace-0.1.0.ndjson';
  const imported = await runTransfer(target, 'import', path, '--owner', 'ada@example.com');
  expect(imported.output).toContain('Imported and verified the workspace');
  const id = /[\da-f-]{36}/.exec(imported.output)?.[0] ?? '';
  const { templates, modules, settings } = await readAll(owner, id);
  expect(settings).toMatchObject({ errorsBlockPublishing: true });
  expect(modules.map(({ document }) => document)).toMatchObject([
    { name: 'Footer', category: 'footer', description: 'With the address', version: 2 },
    { name: 'Wrapped footer', version: 1, content: { blocks: [{ text: '12 Main Street' }] } },
    { name: 'Footer (copy)', version: 1 },
  ]);
  expect(templates).toMatchObject([
    {
      document: { name: 'Welcome back', version: 2, tags: ['autumn', 'spring'] },
      versions: { data: [{ version: 2 }, { version: 1, label: 'approved', name: 'Welcome' }] },
    },
  ]);
  // The template had five events: created, updated twice, deleted, restored.
  const [template] = templates.map(({ document }) => document as Listed);
  await owner.put(`/api/templates/${template?.id}`, { name: 'Welcome again' });
  const sequences = await target.database.query<{ sequence: number }>(
    `SELECT sequence FROM outbox WHERE resource_id = $1
     UNION ALL SELECT sequence FROM events WHERE resource_id = $1`,
    [template?.id],
  );
  expect(sequences).toEqual([{ sequence: 6 }]);
});

it('an export of a release without a text field is imported, and the field is empty', async () => {
  const sample = await readFile('test/samples/workspace-0.1.0.ndjson', 'utf8');
  const lines = sample
    .replaceAll('"description":"",', '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportLine);
  const digest = new ExportDigest();
  for (const line of lines.slice(0, -1)) digest.add(line);
  lines.splice(-1, 1, { kind: 'end', digests: digest.digests() });
  const older = join(folder, 'older.ndjson');
  await writeFile(older, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const owner = await verifiedClient(target);
  const args = ['import', older, '--owner', 'ada@example.com', '--new-ids'];
  const imported = await runTransfer(target, ...args);
  await rm(older);
  expect(imported.output).toContain('Imported and verified the workspace');
  const { modules } = await readAll(owner, /[\da-f-]{36}/.exec(imported.output)?.[0] ?? '');
  expect(modules.map(({ document }) => document)).toMatchObject([
    { name: 'Footer', description: 'With the address' },
    { name: 'Wrapped footer', description: '' },
    { name: 'Footer (copy)' },
  ]);
});

it('a damaged file, an unknown owner and an unknown workspace are refused', async () => {
  const lines = await readFile(file, 'utf8');
  await writeFile(file, lines.replace('Größe 7', 'Größe 8'));
  expect((await importTo(target, '--new-ids')).output).toContain('damaged or incomplete');
  await writeFile(file, lines);
  const unknown = await runTransfer(target, 'import', file, '--owner', 'nobody@example.com');
  expect(unknown.output).toContain('email address');
  const missing = await runTransfer(target, 'export', crypto.randomUUID(), join(folder, 'none'));
  expect([missing.code, missing.output]).toEqual([1, 'There is no such workspace.\n']);
  expect((await runTransfer(target, 'import', file)).output).toContain(
    'npm run workspace -- import FILE',
  );
});

it('a full disk and a file that is missing are named in a sentence', async () => {
  const path = join(folder, 'large');
  const script = `ulimit -f 1; exec "${process.execPath}" dist/apps/maintenance/workspace.js "$@"`;
  const args = ['-c', script, 'sh', 'export', workspaceId, path];
  const full = new Program('/bin/sh', args, source.environment);
  expect((await full.exited)[0]).toBe(1);
  expect(full.output).toMatch(/^The file cannot be written: EFBIG: .*\.\n$/);
  expect(await readdir(folder)).toEqual([basename(file)]);
  const missing = await runTransfer(target, 'import', path, '--owner', 'ada@example.com');
  expect(missing.output).toMatch(/^The file cannot be read: ENOENT: .*\.\n$/);
});

it('an export refuses an id that is none, and a file that exists', async () => {
  const path = join(folder, 'existing.ndjson');
  expect(await runTransfer(source, 'export', 'kitchen', path)).toEqual({
    code: 1,
    output: 'kitchen is not the id of a workspace.\n',
  });
  await writeFile(path, 'mine');
  const { code, output } = await runTransfer(source, 'export', randomUUID(), path);
  expect(output).toContain('already exists: choose another name, or move the existing file.');
  expect(code).toBe(1);
  expect(await readFile(path, 'utf8')).toBe('mine');
});
