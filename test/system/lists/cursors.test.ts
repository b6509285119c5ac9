import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadApiConfig } from '#config';
import { createApi } from '../../../apps/api/api.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

interface List {
  data: { name: string }[];
  nextCursor: string;
}

let galley: Galley;
let ada: Client;
let path: string;
let cursor: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  for (const name of ['Apple', 'banana', 'Cherry']) {
    await createResource(ada, '/api/templates', { name, workspaceId });
  }
  path = `/api/templates?workspaceId=${workspaceId}&sort=name&limit=1`;
  cursor = (await ada.get<List>(path)).body.nextCursor;
});
afterAll(() => galley.stop());

const responseTo = async (candidate: string) => {
  const { status, text } = await ada.get(`${path}&cursor=${encodeURIComponent(candidate)}`);
  return `${status} ${text}`;
};

it('a cursor needs no escaping in a URL, and leads to the next page', async () => {
  expect(cursor).toMatch(/^[\w.-]+$/);
  const { body } = await ada.get<List>(`${path}&cursor=${cursor}`);
  expect(body.data).toMatchObject([{ name: 'banana' }]);
  expect(body.nextCursor).not.toBe(cursor);
});

it('a cursor that was changed, cut or forged is refused', async () => {
  const invalidCursors = Array.from(cursor).flatMap((character, index) => [
    cursor.slice(0, index) + (character === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
    cursor.slice(0, index),
  ]);
  // Changes only base64 bits that do not affect the bytes.
  invalidCursors.push(
    ...Array.from('AQgw-_048', (lastCharacter) => cursor.slice(0, -1) + lastCharacter),
    `${cursor}=`,
  );
  const message = 'cursor must be the nextCursor of the same list';
  const refusal = `400 ${JSON.stringify({
    statusCode: 400,
    code: 'invalid',
    message,
    details: [{ path: 'cursor', message }],
  })}`;
  const responses = await Promise.all(
    invalidCursors.filter((each) => each !== cursor).map(responseTo),
  );
  expect(new Set(responses)).toEqual(new Set([refusal]));
});

it('a cursor from before a rotation of keys still leads to the next page', async () => {
  const api = await createApi(
    loadApiConfig({
      ...galley.environment,
      SECRETS_KEYS: `${randomBytes(32).toString('base64')},${galley.environment['SECRETS_KEYS']}`,
    }),
  );
  await api.listen(0, '127.0.0.1');
  const clientWithNewKey = new Client(await api.getUrl(), ada.token);
  const { body } = await clientWithNewKey.get<List>(`${path}&cursor=${cursor}`);
  expect(body.data).toMatchObject([{ name: 'banana' }]);
  await api.close();
});
