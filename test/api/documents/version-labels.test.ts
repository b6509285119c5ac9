import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Version {
  version: number;
  label: string;
  note: string;
}
interface Versions {
  data: Version[];
  nextCursor: string | null;
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

describe.each(['templates', 'modules'])('the versions of %s', (kind) => {
  /** A document with three versions. */
  const createDocument = async (): Promise<string> => {
    const id = await createResource(ada, `/api/${kind}`, { name: 'A', workspaceId, content: {} });
    for (const name of ['B', 'C']) await ada.put(`/api/${kind}/${id}`, { name });
    return `/api/${kind}/${id}`;
  };
  const change = (path: string, version: number, body: object) =>
    ada.send<Version>('PATCH', `${path}/versions/${version}`, body);
  const numbersOf = async (path: string, query: string) =>
    (await ada.get<Versions>(`${path}/versions${query}`)).body.data.map(({ version }) => version);

  it('get a label and a note, which make no version and no event', async () => {
    const path = await createDocument();
    const before = (await ada.get(path)).body;
    const events = await galley.eventsOf(workspaceId);
    const labelled = await change(path, 2, { label: 'approved', note: 'By legal' });
    expect(labelled.status).toBe(200);
    const { content, ...summary } = (
      await ada.get<Version & { content: object }>(`${path}/versions/2`)
    ).body;
    expect(labelled.body).toEqual(summary);
    expect(summary).toMatchObject({ version: 2, label: 'approved', note: 'By legal' });
    expect((await change(path, 2, { label: '' })).body).toMatchObject({
      label: '',
      note: 'By legal',
    });
    expect((await ada.get(path)).body).toEqual(before);
    expect(await galley.eventsOf(workspaceId)).toEqual(events);
  });

  it('are refused labels that are too long, unknown, or missing', async () => {
    const path = await createDocument();
    expect((await change(path, 4, { label: 'a' })).status).toBe(404);
    expect((await change(path, 1, {})).status).toBe(400);
    expect((await change(path, 1, { label: 'a'.repeat(101) })).status).toBe(400);
    expect((await change(path, 1, { name: 'a' })).status).toBe(400);
  });

  it('are found by label, author and time', async () => {
    const path = await createDocument();
    await change(path, 1, { label: 'approved' });
    await change(path, 3, { label: 'approved' });
    expect(await numbersOf(path, '?label=approved')).toEqual([3, 1]);
    const page = await ada.get<Versions>(`${path}/versions?label=approved&limit=1`);
    expect(page.body.data).toMatchObject([{ version: 3 }]);
    expect(await numbersOf(path, `?label=approved&cursor=${page.body.nextCursor}`)).toEqual([1]);
    expect(await numbersOf(path, '?label=other')).toEqual([]);
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    expect(await numbersOf(path, `?createdBy=${user.id}`)).toEqual([3, 2, 1]);
    const nobody = '00000000-0000-7000-8000-000000000000';
    expect(await numbersOf(path, `?createdBy=${nobody}`)).toEqual([]);
    const { createdAt } = (await ada.get<{ createdAt: string }>(`${path}/versions/2`)).body;
    expect(await numbersOf(path, `?since=${createdAt}`)).toEqual([3, 2]);
    expect(await numbersOf(path, `?until=${createdAt}`)).toEqual([1]);
  });
});
