import pg from 'pg';
import { readServiceUrls } from '../../../apps/standalone/data-directory.js';
import { requestToken } from '../../../apps/standalone/identity-provider/identity-provider.js';
import { Client } from '../../support/api/client.js';

const dataDir = process.env['GALLEY_TEST_DATA_DIR'] ?? '';

/** The URLs of the services that `npm start` runs for this suite. */
export const { api: galleyUrl, identityProvider } = await readServiceUrls(dataDir);

/** A client of the API that acts as the user with this email address. */
export const clientFor = async (email: string): Promise<Client> =>
  new Client(galleyUrl, await requestToken(identityProvider, email));

/** Adds finished deliveries to a webhook's log, spread over the last minutes. */
export async function addDeliveries(webhookId: string, count: number): Promise<void> {
  const { databaseUrl } = await readServiceUrls(dataDir);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(
    `INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, resource_id, sequence, status, attempts)
     SELECT id, uuidv7_at(now() - number * interval '100 ms'), workspace_id, number, now(),
       uuidv7(), 'template.created', uuidv7(), 1, 'delivered', 1
     FROM webhook_endpoints, generate_series(1, $2::integer) number WHERE id = $1`,
    [webhookId, count],
  );
  await database.end();
}
