/* global fetch */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../../dist/apps/standalone/ports.js';
import { cloneTemplate } from '../galley/clone-template.ts';
import { testEnvironment } from '../galley/environment.ts';
import { Issuer } from '../identity/issuer.ts';
import { findOutdatedQueries } from '../../queries/check-queries.ts';
import { leaveTestServer, useTestServer } from './test-server.js';

const START_TIMEOUT_MS = 60_000;
const RECORDER = new URL('../../queries/record-statements.js', import.meta.url).href;

let stop;

/** Starts the API and the worker of `dist` that all files of the project `api` share, with a database and an issuer. */
export async function startSharedGalley() {
  await useTestServer();
  const database = await cloneTemplate();
  const issuer = await Issuer.start();
  const environment = testEnvironment({
    databaseUrl: database.pooledUrl,
    databaseDirectUrl: database.url,
    issuerUrl: issuer.url,
  });
  // `npm run generate:queries` sets a folder of its own.
  const statements =
    process.env.RECORD_STATEMENTS ?? (await mkdtemp(join(tmpdir(), 'galley-statements-')));
  environment.RECORD_STATEMENTS = statements;
  const programs = await Promise.all(['api', 'worker'].map((name) => start(name, environment)));
  process.env.GALLEY_TEST_SHARED = JSON.stringify({
    url: programs[0].url,
    databaseUrl: database.url,
    signer: await issuer.exportSigner(),
  });
  stop = async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await issuer.stop();
    await database.drop();
    await leaveTestServer();
    if (process.env.RECORD_STATEMENTS) return;
    const problem = await findOutdatedQueries(statements);
    await rm(statements, { recursive: true });
    if (problem === undefined) return;
    // Jest would write no report, and skip the teardown of other projects, if this function threw.
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  };
}

export const stopSharedGalley = () => stop();

async function start(name, environment) {
  // A port below those from which the kernel chooses for connections, so that none takes the port meanwhile.
  const port = await findFreePort(20_000 + Math.floor(Math.random() * 10_000), 0);
  const env = { ...process.env, ...environment, PORT: port, WORKER_PORT: port };
  const child = spawn(process.execPath, [`--import=${RECORDER}`, `dist/apps/${name}/main.js`], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The ${name} of the tests ended.`);
    if (Date.now() > deadline) throw new Error(`The ${name} of the tests does not become ready.`);
    await delay(50);
  }
  return {
    url,
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

const isReady = (url) =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
