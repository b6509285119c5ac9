import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { Receiver } from '../../support/webhooks/receiver.js';

let galley: Galley;
let receiver: Receiver;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await galley.stop();
});

it('a key that SECRETS_KEYS lacks costs no attempt, and notifications are sent once the key is there', async () => {
  const ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const endpointId = await createResource(ada, '/api/webhooks', {
    workspaceId,
    url: receiver.url,
    events: ['module.created'],
  });
  const setKey = async (keyId: string) => {
    // The trigger refuses values of a key that is not known.
    await galley.database.query('ALTER TABLE webhook_endpoints DISABLE TRIGGER USER');
    await galley.database.query(
      'UPDATE webhook_endpoints SET encrypted_secret = $2 || substr(encrypted_secret, 9) WHERE id = $1',
      [endpointId, keyId],
    );
    await galley.database.query('ALTER TABLE webhook_endpoints ENABLE TRIGGER USER');
  };
  const [key] = await galley.database.query<{ id: string }>(
    'SELECT substr(encrypted_secret, 1, 8) AS id FROM webhook_endpoints WHERE id = $1',
    [endpointId],
  );
  await setKey('00000000');

  await createResource(ada, '/api/modules', { workspaceId, name: 'Footer', content: {} });
  const [released] = await eventually('the delivery to be released', async () => {
    const rows = await galley.database.query<{ attempts: number; failures: number }>(
      `SELECT attempts, failures FROM webhook_deliveries delivery
       JOIN webhook_traffic USING (endpoint_id)
       WHERE claims > 0 AND delivery.claimed_until IS NULL
         AND due_at > now() + interval '3 seconds'`,
    );
    return rows.length > 0 && rows;
  });
  expect(released).toEqual({ attempts: 0, failures: 0 });
  expect(await galley.database.count('webhook_attempts')).toBe(0);

  await setKey(key?.id ?? '');
  await galley.database.query('UPDATE webhook_deliveries SET due_at = now()');
  await galley.database.query('UPDATE webhook_traffic SET wake_at = now()');
  await eventually('the notification', () => receiver.received.length === 1);
});
