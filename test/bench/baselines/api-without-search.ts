import { loadApiConfig } from '#config';
import { UnitOfWork, type Statement } from '#database';
import { createApi } from '../../../apps/api/api.js';

// The statement keeps its parameters, whose types PostgreSQL must know.
const STORE_SEARCH_TEXT =
  /search AS \(INSERT INTO document_search.*?\((SELECT [^()]*)\) source.*?END\)/s;

/** Galley's API without the search's part of creations. The comparison with Galley shows what that part costs. */
const config = loadApiConfig(process.env);
const app = await createApi(config);
const unitOfWork = app.get(UnitOfWork, { strict: false });
const writeStatement = unitOfWork.writeStatement.bind(unitOfWork);
Object.assign(unitOfWork, {
  writeStatement: ((statement: Statement<object, unknown>, ...rest) =>
    writeStatement(
      {
        ...statement,
        ctes: statement.ctes.replace(STORE_SEARCH_TEXT, 'search AS ($1)'),
      },
      ...rest,
    )) as typeof writeStatement,
});
await app.listen(config.PORT, config.HOST);
