import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { readRateLimits } from '../../support/api/rate-limit-headers.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { CertificateAuthority } from '../../support/network/certificates.js';
import { hasRedisServer, RedisServer } from '../../support/network/redis-server.js';
import {
  killPrograms,
  startProgram,
  waitUntilReady,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';
import { Program } from '../../support/processes/program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const UNTRUSTED = 'self-signed certificate in certificate chain';

(hasRedisServer ? describe : describe.skip)('Redis with TLS, a user and a password', () => {
  let folder: string;
  let authority: CertificateAuthority;
  let stranger: CertificateAuthority;
  let redis: RedisServer;
  let settings: string[];
  let galley: Galley;
  let receiver: Receiver;
  const programs: GalleyProgram[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-redis-tls-'));
    authority = await CertificateAuthority.create(folder, 'authority');
    stranger = await CertificateAuthority.create(folder, 'stranger');
    const { cert, key } = await authority.issue('localhost');
    await writeFile(join(folder, 'redis.crt'), cert);
    await writeFile(join(folder, 'redis.key'), key);
    settings = [
      `tls-cert-file ${join(folder, 'redis.crt')}`,
      `tls-key-file ${join(folder, 'redis.key')}`,
      `tls-ca-cert-file ${authority.file}`,
      'tls-auth-clients no',
      'user default off',
      'user ada on >p@ss ~* &* +@all',
    ];
    redis = await RedisServer.start(settings, { hasTls: true });
    galley = await startGalley({ environment: { RATE_LIMIT_USER: '1000' } });
    receiver = await Receiver.start();
  });
  afterEach(() => killPrograms(programs));
  afterAll(async () => {
    await receiver.stop();
    await galley.stop();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  const environmentWith = (ca: CertificateAuthority, host = 'localhost') => ({
    ...galley.environment,
    LOG_LEVEL: 'info',
    REDIS_URL: `rediss://ada:p%40ss@${host}:${redis.port}`,
    NODE_EXTRA_CA_CERTS: ca.file,
  });

  async function start(...[name, environment]: Parameters<typeof startProgram>) {
    const started = await startProgram(name, environment);
    programs.push(started);
    return started;
  }

  async function diagnose(environment: Record<string, string>): Promise<string> {
    const doctor = new Program(process.execPath, ['dist/apps/doctor/main.js'], {
      ...environment,
      NODE_OPTIONS: '',
    });
    await doctor.exited;
    return doctor.output.split('\n').find((line) => / queue /.test(line)) ?? '';
  }

  async function ask(server: RedisServer, command: (client: Redis) => Promise<unknown>) {
    const tls = { ca: await readFile(authority.file) };
    const login = { username: 'ada', password: 'p@ss' };
    const client = new Redis(server.port, 'localhost', { ...login, tls, enableReadyCheck: false });
    await command(client);
    client.disconnect();
  }

  it('has the queue and the rate limits, if NODE_EXTRA_CA_CERTS names its authority', async () => {
    const environment = environmentWith(authority);
    expect(await diagnose(environment)).toMatch(/^ok .*Redis .* responds/);
    const apis = [await start('api', environment), await start('api', environment)];
    await start('worker', environment);
    await Promise.all(programs.map(waitUntilReady));
    const token = await galley.issuer.token('ada');
    const [ada, sameAda] = apis.map(({ url }) => new Client(url, token)) as [Client, Client];
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    await subscribe(ada, workspaceId, receiver);
    await createResource(ada, '/api/templates', { name: 'Welcome', workspaceId });
    await eventually('the delivery', () => receiver.received.length === 1);
    const remaining = async (client: Client) =>
      readRateLimits(await client.get('/api/auth/me')).remaining['user']?.['r'];
    const before = Number(await remaining(ada));
    expect(await remaining(sameAda)).toBe(before - 1);
  });

  it('may be a cluster, whose nodes announce the name that their certificates have', async () => {
    const names = [
      'cluster-announce-hostname localhost',
      'cluster-preferred-endpoint-type hostname',
    ];
    const node = await RedisServer.start([...settings, 'tls-cluster yes', ...names], {
      hasTls: true,
      hasBus: true,
    });
    await ask(node, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383'));
    const url = `rediss+cluster://ada:p%40ss@localhost:${node.port}`;
    const accepted = () => diagnose({ ...environmentWith(authority), REDIS_URL: url });
    await eventually('the cluster', async () => (await accepted()).startsWith('ok'));
    expect(await diagnose({ ...environmentWith(stranger), REDIS_URL: url })).toMatch(
      /^problem .*Check NODE_EXTRA_CA_CERTS and the host name in REDIS_URL\.$/,
    );
    await node.stop();
  });

  it('may have sentinels, which name the primary as its certificate does', async () => {
    const port = await probePort(0);
    const file = join(folder, 'sentinel.conf');
    const configuration = [
      'port 0',
      `tls-port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      ...settings,
      'tls-replication yes',
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel monitor mymaster localhost ${redis.port} 1`,
      'sentinel auth-user mymaster ada',
      'sentinel auth-pass mymaster p@ss',
    ];
    await writeFile(file, configuration.join('\n'));
    const sentinel = new Program('redis-server', [file, '--sentinel']);
    await sentinel.waitForOutput('+monitor master');
    const url = `rediss+sentinel://ada:p%40ss@localhost:${port}/mymaster?sentinel_username=ada&sentinel_password=p%40ss`;
    expect(await diagnose({ ...environmentWith(authority), REDIS_URL: url })).toMatch(/^ok /);
    expect(await diagnose({ ...environmentWith(stranger), REDIS_URL: url })).toContain(UNTRUSTED);
    sentinel.killGroup();
    await sentinel.exited;
  });

  it.each([
    ['another authority', () => environmentWith(stranger), UNTRUSTED],
    [
      'another host name',
      () => environmentWith(authority, '127.0.0.1'),
      "does not match certificate's altnames",
    ],
  ])('refuses a certificate of %s, and says why', async (_title, environmentOf, reason) => {
    const environment = environmentOf();
    const line = await diagnose(environment);
    expect(line).toContain(reason);
    expect(line).toMatch(/^problem .* Check NODE_EXTRA_CA_CERTS and the host name in REDIS_URL\.$/);
    const { program } = await start('worker', environment);
    await program.waitForOutput('"stage":"queue"');
    program.killGroup();
    await program.exited;
    const queueLine = program.output.split('\n').find((text) => text.includes('"stage":"queue"'));
    expect(queueLine).toContain(reason);
  });
});
