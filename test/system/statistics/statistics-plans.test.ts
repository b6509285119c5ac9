import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import { createPartitionsSince } from '../../support/galley/database.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { flattenPlan, RecordedStatements } from '../../support/galley/recorded-statements.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';

const ENDPOINTS = 10;
const DAYS = 10;
const ROWS_PER_DAY = 24 * 12;
const DAY_MS = 24 * 60 * 60 * 1_000;

let galley: Galley;
let users: Record<'ada' | 'bob', TestUser>;
let workspaceId: string;
let endpointId: string;
let statements: RecordedStatements;

// Every endpoint has attempts in every five minutes until now, and so has the workspace.
beforeAll(async () => {
  galley = await startGalley();
  users = await signInUsers(galley, ['ada', 'bob']);
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const member = { userId: users.bob.id, role: 'viewer' };
  await users.ada.client.post(`/api/workspaces/${workspaceId}/members`, member);
  for (let number = 0; number < ENDPOINTS; number++) {
    const webhook = { workspaceId, url: 'https://example.com', events: ['*'] };
    const { body } = await users.ada.client.post<{ id: string }>('/api/webhooks', webhook);
    endpointId = body.id;
  }
  await createPartitionsSince(galley.database, new Date(Date.now() - DAYS * DAY_MS));
  await galley.database.query(
    `INSERT INTO webhook_statistics
     SELECT subject.id, date_bin('5 minutes', now(), 'epoch') - n * interval '5 minutes',
       1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
     FROM (SELECT id FROM webhook_endpoints UNION ALL SELECT id FROM workspaces) subject,
       generate_series(0, $1::integer - 1) n`,
    [DAYS * ROWS_PER_DAY],
  );
  await galley.database.query('VACUUM ANALYZE webhook_statistics');
  statements = new RecordedStatements(galley.api.get(Database), 'webhook_statistics');
});
afterAll(() => galley.stop());

/** How many rows of statistics the latest statement reads. It must find all of them by the primary key. */
async function countRowsRead(): Promise<number> {
  const scans = flattenPlan(await statements.planOf()).filter((node) =>
    node['Relation Name']?.startsWith('webhook_statistics'),
  );
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    expect(scan).toMatchObject({
      'Node Type': 'Index Scan',
      'Index Name': `${scan['Relation Name']}_pkey`,
    });
    expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
  }
  return scans.reduce((sum, scan) => sum + scan['Actual Rows'] * scan['Actual Loops'], 0);
}

it('the statistics of a webhook read a row for each five minutes of their range', async () => {
  await users.ada.client.get(`/api/webhooks/${endpointId}/stats?step=1h`);
  const rowsRead = await countRowsRead();
  expect(rowsRead).toBeGreaterThanOrEqual(ROWS_PER_DAY);
  // The range is extended to whole hours.
  expect(rowsRead).toBeLessThanOrEqual(ROWS_PER_DAY + 12);
});

it('the statistics of a workspace read as few rows, however many webhooks it has', async () => {
  await users.ada.client.get(`/api/webhooks/stats?step=1h&workspaceId=${workspaceId}`);
  expect(await countRowsRead()).toBeLessThanOrEqual(ROWS_PER_DAY + 12);
});

it('the statistics of a list read 24 hours of each webhook of the page', async () => {
  const path = `/api/webhooks?stats=true&workspaceId=${workspaceId}`;
  await users.ada.client.get(`${path}&limit=3`);
  // The page reads one webhook more, to know whether it is the last page.
  expect(await countRowsRead()).toBeLessThanOrEqual(4 * ROWS_PER_DAY);
});

it.each(['stats', 'list'])('a caller who may not read the %s reads no rows', async (what) => {
  const query = `workspaceId=${workspaceId}`;
  const path = what === 'stats' ? `stats?${query}` : `?stats=true&${query}`;
  const { status } = await users.bob.client.get(
    `/api/webhooks${what === 'stats' ? '/' : ''}${path}`,
  );
  expect(status).toBe(403);
  expect(await countRowsRead()).toBe(0);
});
