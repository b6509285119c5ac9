import { join } from 'node:path';
import { styleText } from 'node:util';
import type { ServiceUrls } from './data-directory.js';

/** The text that standalone prints when everything is running: the URLs and the next steps. */
export function welcomeMessage(urls: ServiceUrls, dataDir: string): string {
  const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });
  // The commands find a running Galley by its data directory.
  const customDataDir = process.env['DATA_DIR'];
  const envPrefix = customDataDir ? `DATA_DIR='${customDataDir}' ` : '';
  const { host } = new URL(urls.databaseUrl);
  return `
${bold('Galley is ready.')}

  Settings area      ${urls.api}/settings  (sign in with any email address)
  API                ${urls.api}
  API reference      ${urls.api}/docs  (under Authentication, paste the token from the step below)
  Worker             ${urls.worker}/health/ready
  Metrics            ${urls.apiMetrics}  (API)
                     ${urls.workerMetrics}  (worker)
  Identity provider  ${urls.identityProvider}  (for development: accepts any email address)
  Sample receiver    ${urls.sampleReceiver}  (a URL for your first webhook; shows its messages)
  Mail catcher       ${urls.mailCatcher}  (shows test emails, and delivers none)
  Your account       ${urls.identityProvider}/account  (change your name, or delete the user)
  PostgreSQL         ${host}  (its log: ${join(dataDir, 'postgres', 'postgres.log')})
  Data               ${dataDir}

${bold('Try next, in another terminal:')}

  TOKEN=$(${envPrefix}npm run -s token -- ada@example.com)
  curl ${urls.api}/api/workspaces -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"name":"My workspace"}'

Or create a webhook at ${urls.api}/settings, which offers the sample receiver.

Ctrl-C stops everything. LOG_LEVEL=info npm start shows more log lines.
`;
}
