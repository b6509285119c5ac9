import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { box, refer } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

const [, modules] = kinds as [Kind, Kind];

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const createModule = (content: object) =>
  createResource(ada, '/api/modules', { name: 'A', workspaceId, content });
const put = (id: string, content: object) => ada.put(`/api/modules/${id}`, { content });

it('a batch closes no cycle through a module that it only renames', async () => {
  const used = await createModule({ type: 'box' });
  // A check of the nesting finds cycles of references that follow the latest version as well.
  const user = await createModule({ type: 'box', blocks: [refer(used, 1)] });
  const { status, body } = await sendBatch(ada, modules, workspaceId, [
    { action: 'update', id: used, content: box(user) },
    { action: 'update', id: user, name: 'B' },
  ]);
  expect([status, body.message]).toEqual([400, expect.stringContaining('uses this module')]);
});

it('a batch larger than a chunk stores the references of all modules', async () => {
  const used = await createModule({ type: 'box' });
  // A batch writes documents in chunks of 2 MiB.
  const large = { ...box(used), text: 'x'.repeat(700_000) };
  const ids: string[] = [];
  while (ids.length < 4) ids.push(await createModule(box(used)));
  const updated = await sendBatch(
    ada,
    modules,
    workspaceId,
    ids.map((id) => ({ action: 'update', id, content: large })),
  );
  expect(updated.status).toBe(200);
  const created = await sendBatch(
    ada,
    modules,
    workspaceId,
    ids.map(() => ({ action: 'create', name: 'C', content: large })),
  );
  expect(created.status).toBe(200);
  ids.push(...created.body.data.map(({ module }) => module?.id ?? ''));
  for (const id of ids) expect((await put(used, box(id))).status).toBe(400);
});
