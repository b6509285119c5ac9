import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '#database';
import { examine } from '../../../apps/doctor/doctor.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { createResource } from '../../support/galley/resources.js';
import { AUDIENCE, Issuer } from '../../support/identity/issuer.js';
import { StreamingPair } from '../../support/network/streaming-pair.js';
import {
  killPrograms,
  startProgram,
  waitUntilReady,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';

let postgres: StreamingPair;
let issuer: Issuer;
let api: GalleyProgram;
let environment: Record<string, string>;

beforeAll(async () => {
  [postgres, issuer] = await Promise.all([StreamingPair.start(), Issuer.start()]);
  await migrate(postgres.primaryUrl);
  environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.primaryUrl,
    DATABASE_DIRECT_URL: '',
    DATABASE_REPLICA_URL: postgres.replicaUrl,
    REDIS_URL: '',
    SECRETS_KEYS: randomBytes(32).toString('base64'),
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
  };
  api = await startProgram('api', environment);
  await waitUntilReady(api);
});
afterAll(async () => {
  await killPrograms([api]);
  await Promise.all([postgres.stop(), issuer.stop()]);
});

it('a replica that has what its primary lacks is not used', async () => {
  const ada = new Client(api.url, await issuer.token('ada'));
  const workspaceId = await createResource(ada, '/api/workspaces', { name: 'Kitchen' });
  const id = await createResource(ada, '/api/templates', { name: 'kept', workspaceId });
  await api.program.waitForOutput('Reads go to the replica.');

  await postgres.backUpPrimary();
  await eventually(
    'a change after the backup',
    async () => (await ada.put(`/api/templates/${id}`, { name: 'discarded' })).status === 200,
  );
  const doctor = async () =>
    (await examine(environment, [])).find(({ text }) => text.startsWith('The replica'))?.text;
  await eventually('the replay', async () => (await doctor())?.includes('responds'));
  await postgres.restorePrimary();

  await api.program.waitForOutput('The replica has data that its primary lacks');
  const { body } = await ada.get<{ name: string }>(`/api/templates/${id}`);
  expect(body.name).toBe('kept');
  expect(await doctor()).toMatch(/^The replica has data that its primary lacks/);
});
