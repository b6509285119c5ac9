import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { PostgresProxy } from '../support/postgres-proxy.js';
import { make } from '../support/resources.js';

interface Told {
  code: string;
  message: string;
}

let galley: Galley;
let proxy: PostgresProxy;
let ada: Client;
let workspaceId: string;
let template: string;

beforeAll(async () => {
  galley = await startGalley({
    through: async (databaseUrl) => {
      proxy = await PostgresProxy.to(databaseUrl, 'galley api');
      return proxy.databaseUrl;
    },
  });
  ada = await galley.as('ada');
  workspaceId = (await galley.workspaceOf('ada')).id;
});
afterAll(async () => {
  await galley.stop();
  await proxy.stop();
});
beforeEach(async () => {
  template = await make(ada, '/api/templates', { name: 'A', workspaceId });
});

const path = () => `/api/templates/${template}`;
const versions = () => galley.database.count(`template_versions WHERE template_id = '${template}'`);
const events = () => galley.database.count(`outbox WHERE resource_id = '${template}'`);

it('a read is repeated', async () => {
  const lost = proxy.loseAnswerTo(template);
  const response = await ada.get(path());
  await lost;
  expect(response.status).toBe(200);
});

it('a read that loses one connection after the other gets a 503 that says so', async () => {
  let losing = true;
  let lost = 0;
  const lose = async () => {
    while (losing) {
      await proxy.loseAnswerTo(template);
      lost++;
    }
  };
  void lose();
  const { status, body, headers } = await ada.get<Told>(path());
  losing = false;
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect(body.message).toContain('connection to the database was lost, and nothing was changed');
  expect(lost).toBe(5);
  await ada.get(path());
});

it('a transaction that has not sent COMMIT is run again', async () => {
  // Its first statement holds the id.
  const lost = proxy.loseAnswerTo(template);
  const response = await ada.put(path(), { name: 'B' });
  await lost;
  expect(response.status).toBe(200);
  expect([await versions(), await events()]).toEqual([2, 2]);
});

it('so is one whose session PostgreSQL ends', async () => {
  const holder = new pg.Client({ connectionString: galley.database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM templates WHERE id = $1 FOR UPDATE', [template]);
  const change = ada.put(path(), { name: 'B' });
  await eventually('the change to wait, and its session to end', async () => {
    const ended = await galley.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'galley api' AND datname = current_database()
         AND wait_event_type = 'Lock'`,
    );
    return ended.length > 0;
  });
  await holder.query('COMMIT');
  await holder.end();
  expect((await change).status).toBe(200);
  expect([await versions(), await events()]).toEqual([2, 2]);
});

it.each([
  ['COMMIT', () => ['COMMIT\0', ada.put<Told>(path(), { name: 'B' })] as const],
  [
    'a change of one statement',
    () => ['Unheard', ada.post<Told>('/api/templates', { name: 'Unheard', workspaceId })] as const,
  ],
])('nobody can tell whether %s was carried out, and the caller is told so', async (_what, send) => {
  const before = await galley.database.count('outbox');
  const [text, response] = send();
  const lost = proxy.loseAnswerTo(text);
  const { status, body } = await response;
  await lost;
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.message).toContain('may or may not have been made');
  // It was carried out once, and not again.
  expect(await galley.database.count('outbox')).toBe(before + 1);
});
