import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Addresses } from './data-directory.js';

/** What a person reads when everything is up: where it is, and what to try next. */
export function welcome(addresses: Addresses, dataDir: string): string {
  const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });
  // The commands find a Galley by its data directory.
  const custom = process.env['DATA_DIR'];
  const withDataDir = custom ? `DATA_DIR='${custom}' ` : '';
  const { host } = new URL(addresses.databaseUrl);
  return `
${bold('Galley is ready.')}

  API                ${addresses.api}
  API reference      ${addresses.api}/docs  (put the token of the next step behind Authorize)
  Worker             ${addresses.worker}/health/ready
  Identity provider  ${addresses.identityProvider}  (for development: every e-mail address is a user)
  PostgreSQL         ${host}  (its log: ${join(dataDir, 'postgres', 'postgres.log')})
  Data               ${dataDir}

${bold('Try next, in another terminal:')}

  TOKEN=$(${withDataDir}npm run -s token -- ada@example.com)
  curl ${addresses.api}/api/workspaces -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"name":"My workspace"}'
  WEBHOOK_SECRET=whsec_… npm run receiver

Ctrl-C stops everything. LOG_LEVEL=info npm start shows more of what goes on.
`;
}
