import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

let galley: Galley;
let port: number;

beforeAll(async () => {
  port = await probePort(0);
  galley = await startGalley({
    worker: true,
    environment: { WEBHOOK_PROXY_URL: `http://127.0.0.1:${port}` },
  });
});
afterAll(() => galley.stop());

it('an unavailable proxy costs no attempt, and notifications are sent once it is available', async () => {
  const ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const url = 'http://127.0.0.1:9/';
  const endpointId = await createResource(ada, '/api/webhooks', {
    workspaceId,
    url,
    events: ['module.created'],
  });
  await galley.database.query(
    'UPDATE webhook_traffic SET window_size = 50 WHERE endpoint_id = $1',
    [endpointId],
  );
  await createResource(ada, '/api/modules', { workspaceId, name: 'Footer', content: {} });
  const findReleased = () =>
    galley.database.query<{ attempts: number; failures: number; window_size: number }>(
      `SELECT attempts, failures, window_size FROM webhook_deliveries delivery
       JOIN webhook_traffic USING (endpoint_id)
       WHERE claims > 0 AND delivery.claimed_until IS NULL
         AND due_at > now() + interval '3 seconds'`,
    );
  const [row] = await eventually('the delivery to be released', async () => {
    const rows = await findReleased();
    return rows.length > 0 && rows;
  });
  expect(row).toEqual({ attempts: 0, failures: 0, window_size: 1 });
  expect(await galley.database.count('webhook_attempts')).toBe(0);

  const requestedUrls: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    requestedUrls.push(request.url);
    response.writeHead(204).end();
  });
  await once(proxy.listen(port, '127.0.0.1'), 'listening');
  await galley.database.query('UPDATE webhook_deliveries SET due_at = now()');
  await galley.database.query('UPDATE webhook_traffic SET wake_at = now()');
  await eventually('the notification', () => requestedUrls.length === 1);
  expect(requestedUrls).toEqual([url]);
  proxy.closeAllConnections();
  proxy.close();
});
