import { createEnvironment, createKey, publishTemplate } from '#client';
import type { Client } from '../../support/api/client.js';

const FAR_FUTURE = '2099-03-20T07:00:00.000Z';

/**
 * Publishes version 1 of a template in production and version 2 in staging, and schedules version 2 for
 * production. An API key is limited to staging.
 */
export async function createSamplePublications(
  { generated: client }: Client,
  workspaceId: string,
  templateId: string,
): Promise<void> {
  const path = { id: templateId };
  await createEnvironment({ client, path: { id: workspaceId }, body: { name: 'staging' } });
  const role = 'viewer' as const;
  const key = { name: 'Newsletter service', role, environment: 'staging' };
  await createKey({ client, path: { id: workspaceId }, body: key });
  const note = 'Spring campaign. Legal has approved the footer, and the menu stays until June.';
  await publishTemplate({ client, path, body: { environment: 'staging', version: 2 } });
  await publishTemplate({ client, path, body: { environment: 'production', version: 1, note } });
  await publishTemplate({
    client,
    path,
    body: { environment: 'production', version: 2, at: FAR_FUTURE, note: 'The summer menu.' },
  });
}
