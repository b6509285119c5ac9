import { loadApiConfig } from '#config';
import { Database, UnitOfWork, type Change } from '#database';
import { createApi } from '../../../apps/api/api.js';

/**
 * Galley's API without the outbox: a write adds no outbox row and wakes no worker. The comparison with
 * Galley shows what the outbox and the wake-up cost.
 */
const config = loadApiConfig(process.env);
const app = await createApi(config);
const database = app.get(Database, { strict: false });

Object.assign(app.get(UnitOfWork, { strict: false }), {
  writeStatement: async ({ statement, values, toResult }: Change<object, unknown>) =>
    toResult(await database.query(statement.text, values)),
});
await app.listen(config.PORT, config.HOST);
