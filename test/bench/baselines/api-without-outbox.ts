import { apiConfig } from '#config';
import { Database, UnitOfWork, type Statement } from '#database';
import { createApi } from '../../../apps/api/api.js';

/** Galley's API whose writes leave no outbox row and wake nobody, to see what these cost. */
const config = apiConfig(process.env);
const app = await createApi(config);
const database = app.get(Database, { strict: false });

Object.assign(app.get(UnitOfWork, { strict: false }), {
  writeAtOnce: async ({ expressions, select, values, resultOf }: Statement<object, unknown>) =>
    resultOf(await database.query(`WITH ${expressions} ${select}`, values)),
});
await app.listen(config.PORT, config.HOST);
