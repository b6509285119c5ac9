import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Answer } from '../support/answer.js';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { snapshot } from '../support/snapshot.js';

interface Resource {
  id: string;
  name: string;
  updatedAt: string;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.as('ada');
  workspaceId = (await galley.workspaceOf('ada')).id;
});
afterAll(() => galley.stop());

type Kind = [path: string, body: () => object, field: string];
const kinds: Kind[] = [
  ['/api/templates', () => ({ workspaceId, name: 'A' }), 'name'],
  ['/api/modules', () => ({ workspaceId, name: 'A', content: {} }), 'name'],
  ['/api/workspaces', () => ({ name: 'A' }), 'name'],
  [
    '/api/webhooks',
    () => ({ workspaceId, url: 'https://example.com/', events: ['module.created'] }),
    'description',
  ],
];

const tagOf = ({ headers }: Answer<unknown>) => headers.get('etag') ?? '';
const send = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer<Resource & { message: string }>> =>
  ada.raw(method, path, body && JSON.stringify(body), {
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  });

/** Does something while another transaction holds the row of a resource. */
async function whileLocked(path: string, work: () => Promise<void>): Promise<void> {
  const [, , collection, id] = path.split('/');
  const table = collection === 'webhooks' ? 'webhook_endpoints' : collection;
  const holder = new pg.Client({ connectionString: galley.database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
  await work().finally(() => holder.end());
}

describe.each(kinds)('one of %s', (collection, body, field) => {
  const make = async () => {
    const answer = await ada.post<Resource>(collection, body());
    return { path: `${collection}/${answer.body.id}`, tag: tagOf(answer) };
  };

  it('has a tag that all answers give, and that changes with it alone', async () => {
    const { path, tag } = await make();
    expect(tag).toMatch(/^"[\da-z]+"$/);
    expect(tagOf(await ada.get(path))).toBe(tag);
    expect(tagOf(await ada.put(path, { [field]: (await same(path))[field] }))).toBe(tag);
    const tags = new Set([tag]);
    for (let change = 1; change <= 20; change++) {
      const changed = tagOf(await ada.put(path, { [field]: `B ${change % 2}` }));
      expect(tagOf(await ada.get(path))).toBe(changed);
      tags.add(changed);
    }
    expect(tags.size).toBe(21);
  });

  const same = async (path: string) => (await ada.get<Record<string, string>>(path)).body;

  it('is not sent to who has it', async () => {
    const { path, tag } = await make();
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await send('GET', path, { 'if-none-match': header });
      expect([header, status, text, headers.get('etag')]).toEqual([header, 304, '', tag]);
    }
    await ada.put(path, { [field]: 'B' });
    for (const header of [tag, '"other"', 'nonsense', '']) {
      const { status } = await send('GET', path, { 'if-none-match': header });
      expect([header, status]).toEqual([header, 200]);
    }
  });

  it('is changed and deleted only as it was seen', async () => {
    const { path, tag } = await make();
    const newer = tagOf(await ada.put(path, { [field]: 'B' }));
    const before = await snapshot(galley.database);
    for (const stale of [tag, `W/${newer}`, '"x"', `${tag}, "x"`]) {
      const headers = { 'if-match': stale };
      const put = await send('PUT', path, headers, { [field]: 'C' });
      const deletion = await send('DELETE', path, headers);
      for (const { status, body: error, headers: given } of [put, deletion]) {
        const message = 'The resource has changed since you read it; read it again.';
        expect([status, error]).toEqual([412, { statusCode: 412, code: 'stale', message }]);
        expect(given.get('etag')).toBe(newer);
      }
    }
    expect(await snapshot(galley.database)).toEqual(before);
    const put = await send('PUT', path, { 'if-match': `"x", ${newer}` }, { [field]: 'C' });
    expect(put.status).toBe(200);
    expect((await send('PUT', path, { 'if-match': '*' }, { [field]: 'D' })).status).toBe(200);
    const last = tagOf(await ada.get(path));
    expect((await send('DELETE', path, { 'if-match': last })).status).toBe(204);
    expect((await send('DELETE', path, { 'if-match': last })).status).toBe(404);
  });

  it.each(['x', '"', 'W/x', '"a" "b"', ''])(
    'is not changed where If-Match is %j',
    async (header) => {
      const { path } = await make();
      const { status, body: error } = await send(
        'PUT',
        path,
        { 'if-match': header },
        { [field]: 'C' },
      );
      expect([status, error.message]).toMatchObject([400, expect.stringContaining('If-Match')]);
    },
  );

  it('keeps nobody waiting who has seen an earlier state', async () => {
    const { path, tag } = await make();
    const current = tagOf(await ada.put(path, { [field]: 'B' }));
    await whileLocked(path, async () => {
      for (const method of ['PUT', 'DELETE']) {
        const headers = { 'if-match': `${tag}, "0", "zzzzzzzzz", ${current.replace('"', '"0')}` };
        const body = method === 'PUT' ? { [field]: 'C' } : undefined;
        const answer = await send(method, path, headers, body);
        expect([answer.status, tagOf(answer)]).toEqual([412, current]);
      }
    });
  });

  it('is changed by one of a thousand who have seen the same state', async () => {
    const { path, tag } = await make();
    const put = async (value: string): Promise<Answer<Resource>> => {
      const answer = await send('PUT', path, { 'if-match': tag }, { [field]: value });
      // On a busy machine the last ones wait longer for a connection than the API lets them.
      return answer.status === 503 ? put(value) : answer;
    };
    const values = Array.from({ length: 1_000 }, (_, index) => `B ${index}`).values();
    const answers: Answer<Resource>[] = [];
    const putSome = async () => {
      for (const value of values) answers.push(await put(value));
    };
    // No more of one user's requests may wait at once.
    await Promise.all(Array.from({ length: 100 }, putSome));
    const [won, ...others] = answers.sort((one, other) => one.status - other.status);
    expect(won?.status).toBe(200);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([412]));
    const current = tagOf(await ada.get(path));
    expect(new Set(answers.map(tagOf))).toEqual(new Set([current]));
    expect((await same(path))[field]).toBe((won?.body as unknown as Record<string, string>)[field]);
  });
});

it('a state that a worker has changed is another one', async () => {
  const body = { workspaceId, url: 'https://example.com/', events: ['module.created'] };
  const { id } = (await ada.post<Resource>('/api/webhooks', body)).body;
  const seen = tagOf(await ada.get(`/api/webhooks/${id}`));
  const disabled = await ada.post(`/api/webhooks/${id}/disable`);
  expect(tagOf(disabled)).not.toBe(seen);
  const { status } = await send(
    'PUT',
    `/api/webhooks/${id}`,
    { 'if-match': seen },
    { status: 'active' },
  );
  expect(status).toBe(412);
});
