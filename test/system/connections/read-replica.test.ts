import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '#database';
import { examine } from '../../../apps/doctor/doctor.js';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { createResource } from '../../support/galley/resources.js';
import { AUDIENCE, Issuer } from '../../support/identity/issuer.js';
import { Scrape } from '../../support/metrics/scrape.js';
import { hasRedisServer, RedisServer } from '../../support/network/redis-server.js';
import { StreamingPair } from '../../support/network/streaming-pair.js';
import {
  killPrograms,
  startProgram,
  waitUntilReady,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';

// A read waits for a silent replica up to 2 s and the time between two checks. The rest is for a busy machine.
const MAX_READ_MS = 15_000;

interface Api extends GalleyProgram {
  metricsPort: number;
}

interface Template {
  id: string;
  name: string;
}

(hasRedisServer ? describe : describe.skip)('two APIs with a replica', () => {
  let postgres: StreamingPair;
  let redis: RedisServer;
  let issuer: Issuer;
  let environment: Record<string, string>;
  let apis: [Api, Api];
  /** The owner of the workspace and an editor; each through both APIs. */
  let ada: [Client, Client];
  let bob: [Client, Client];
  let workspaceId: string;
  let bobsId: string;
  let template: string;
  const programs: GalleyProgram[] = [];

  beforeAll(async () => {
    [postgres, redis, issuer] = await Promise.all([
      StreamingPair.start(),
      RedisServer.start(),
      Issuer.start(),
    ]);
    await migrate(postgres.primaryUrl);
    environment = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      DATABASE_URL: postgres.primaryUrl,
      DATABASE_DIRECT_URL: '',
      DATABASE_REPLICA_URL: postgres.replicaUrl,
      REDIS_URL: `redis://${redis.host}`,
      QUEUE_PREFIX: 'replica',
      SECRETS_KEYS: randomBytes(32).toString('base64'),
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      RATE_LIMIT_ADDRESS: '0',
      RATE_LIMIT_USER: '0',
    };
    apis = [await startApi(), await startApi()];
    const through = async (name: string): Promise<[Client, Client]> => {
      const token = await issuer.token(name, { claims: { email: `${name}@example.com` } });
      return [new Client(apis[0].url, token), new Client(apis[1].url, token)];
    };
    [ada, bob] = [await through('ada'), await through('bob')];
    workspaceId = await createResource(ada[0], '/api/workspaces', { name: 'Kitchen' });
    const { body } = await bob[0].get<{ user: { id: string } }>('/api/auth/me');
    bobsId = body.user.id;
    const membership = { userId: bobsId, role: 'editor' };
    const added = await ada[0].post(`/api/workspaces/${workspaceId}/members`, membership);
    expect([added.text, added.status]).toEqual([added.text, 201]);
    template = await createResource(ada[0], '/api/templates', { name: 'A', workspaceId });
    await untilUsed();
  });
  afterEach(async () => {
    postgres.speakAgain();
    redis.speakAgain();
    await postgres.resumeReplay().catch(() => undefined);
  });
  afterAll(async () => {
    await killPrograms(programs);
    await Promise.all([postgres.stop(), redis.stop(), issuer.stop()]);
  });

  async function startApi(changes: Record<string, string> = {}): Promise<Api> {
    const metricsPort = await probePort(0);
    const settings = { ...environment, METRICS_PORT: String(metricsPort), ...changes };
    const api = await startProgram('api', settings);
    programs.push(api);
    await waitUntilReady(api);
    return { ...api, metricsPort };
  }

  /** How many reads an action adds to each server's count, on both APIs together. */
  async function readsOf(action: () => Promise<unknown>) {
    const count = async (source: string) => {
      const scrapes = await Promise.all(apis.map(({ metricsPort }) => Scrape.of(metricsPort)));
      const series = `galley_database_reads_total{source="${source}"}`;
      return scrapes.reduce((sum, scrape) => sum + (scrape.value(series) ?? NaN), 0);
    };
    const before = { replica: await count('replica'), primary: await count('primary') };
    await action();
    return {
      replica: (await count('replica')) - before.replica,
      primary: (await count('primary')) - before.primary,
    };
  }

  const path = () => `/api/templates/${template}`;
  const nameFor = async (client: Client) => (await client.get<Template>(path())).body.name;
  const rename = async (name: string) => {
    expect((await ada[0].put(path(), { name })).status).toBe(200);
  };

  /** Waits until both APIs read from the replica. */
  async function untilUsed() {
    for (const client of bob) {
      await eventually('the replica to be used', async () => {
        const { replica } = await readsOf(() => client.get(path()));
        return replica === 1;
      });
    }
  }

  /** Waits until both APIs have logged `text` since this was called. */
  function untilLogged(text: string): Promise<unknown> {
    const starts = apis.map(({ program }) => program.output.length);
    return eventually(text, () =>
      apis.every(({ program }, index) => {
        const lines = program.output.slice(starts[index]).split('\n');
        return lines.some((line) => line.includes('"stage":"replica"') && line.includes(text));
      }),
    );
  }

  it('reads from the replica, except for lists that go forward in time and the event feed', async () => {
    const list = `workspaceId=${workspaceId}`;
    const webhook = await createResource(ada[0], '/api/webhooks', {
      workspaceId,
      url: 'https://example.com',
      events: ['template.created'],
    });
    await untilUsed();
    const onReplica = [
      path(),
      `${path()}?expand=modules`,
      `${path()}/versions`,
      `${path()}/versions/1`,
      `/api/templates?${list}&sort=-updatedAt`,
      `/api/search?${list}&query=A`,
      `/api/tags?${list}`,
      `/api/trash?${list}`,
      `/api/webhooks/${webhook}/deliveries`,
      `/api/webhooks/${webhook}/stats`,
      `/api/workspaces/${workspaceId}/audit`,
    ];
    await eventually('the position of the webhook', async () => {
      const { replica } = await readsOf(() => ada[0].get(path()));
      return replica === 1;
    });
    for (const read of onReplica) {
      const reads = await readsOf(async () => {
        const { status, text } = await ada[0].get(read);
        expect([read, status, text]).toEqual([read, 200, text]);
      });
      expect([read, reads]).toEqual([read, { replica: 1, primary: 0 }]);
    }
    const onPrimary = [
      `/api/templates?${list}&sort=updatedAt`,
      `/api/events?${list}&after=0`,
      `/api/workspaces/${workspaceId}`,
    ];
    for (const read of onPrimary) {
      const { replica } = await readsOf(async () =>
        expect((await ada[0].get(read)).status).toBe(200),
      );
      expect([read, replica]).toEqual([read, 0]);
    }
  });

  it('shows callers their own changes at once through both APIs, and others the older state', async () => {
    await rename('before');
    await eventually('the replay', async () => (await nameFor(bob[0])) === 'before');
    await untilUsed();
    await postgres.pauseReplay();
    await rename('after');
    const own = await readsOf(async () =>
      expect([await nameFor(ada[0]), await nameFor(ada[1])]).toEqual(['after', 'after']),
    );
    expect(own).toEqual({ replica: 0, primary: 2 });
    const others = await readsOf(async () =>
      expect([await nameFor(bob[0]), await nameFor(bob[1])]).toEqual(['before', 'before']),
    );
    expect(others).toEqual({ replica: 2, primary: 0 });
    await postgres.resumeReplay();
    await eventually('the writer to read from the replica', async () => {
      const { replica } = await readsOf(async () => expect(await nameFor(ada[1])).toBe('after'));
      return replica === 1;
    });
  });

  describe('while the replay is paused', () => {
    const pauseAfter = async (name: string) => {
      await rename(name);
      await eventually('the replay', async () => (await nameFor(bob[0])) === name);
      await untilUsed();
      await postgres.pauseReplay();
    };

    it('nobody gets 404 for what somebody else has just created', async () => {
      await pauseAfter('404');
      const id = await createResource(ada[0], '/api/templates', { name: 'B', workspaceId });
      expect((await bob[1].get(`/api/templates/${id}`)).status).toBe(200);
    });

    it('a caller who gets 412 then reads the state that caused it', async () => {
      await pauseAfter('412');
      const { headers } = await bob[1].get(path());
      await rename('the winner');
      const etag = headers.get('etag') ?? '';
      const refused = await bob[0].with({ 'if-match': etag }).put(path(), { name: 'the loser' });
      expect([refused.status, await nameFor(bob[1])]).toEqual([412, 'the winner']);
    });

    it('a caller can ask for the latest state', async () => {
      await pauseAfter('older');
      await rename('latest');
      const latest = bob[1].with({ 'cache-control': 'max-age=0, no-cache' });
      expect([await nameFor(bob[1]), await nameFor(latest)]).toEqual(['older', 'latest']);
    });

    it('a role that is lowered and a member who is removed lose their rights at once', async () => {
      const member = `/api/workspaces/${workspaceId}/members/${bobsId}`;
      const audit = `/api/workspaces/${workspaceId}/audit`;
      await ada[0].put(member, { role: 'admin' });
      await pauseAfter('removed');
      expect((await bob[1].get(audit)).status).toBe(200);
      await ada[0].put(member, { role: 'editor' });
      expect((await bob[1].get(audit)).status).toBe(403);
      await postgres.resumeReplay();
      await pauseAfter('removed at last');
      await ada[0].delete(member);
      expect((await bob[1].get(path())).status).toBe(403);
      await ada[0].post(`/api/workspaces/${workspaceId}/members`, {
        userId: bobsId,
        role: 'editor',
      });
      await postgres.resumeReplay();
      await untilUsed();
    });

    it('what a caller has found in a list of changes is there when the caller reads it', async () => {
      await pauseAfter('not listed');
      await rename('listed');
      const changes = `/api/templates?workspaceId=${workspaceId}&sort=updatedAt&content=false`;
      const { body } = await bob[0].get<{ data: Template[] }>(changes);
      expect(body.data.map(({ name }) => name)).toContain('listed');
      expect(await nameFor(bob[1])).toBe('listed');
    });
  });

  it('does not use a replica that is more than 10 s behind', async () => {
    await untilUsed();
    await postgres.pauseReplay();
    const logged = untilLogged('s behind. Reads go to the primary.');
    await rename('new');
    await logged;
    const reads = await readsOf(async () => expect(await nameFor(bob[1])).toBe('new'));
    expect(reads).toEqual({ replica: 0, primary: 1 });
    await postgres.resumeReplay();
    await untilUsed();
  });

  /** Reads through both APIs, in several connections, until the condition holds. Every read must succeed. */
  async function readUntil(done: Promise<unknown>) {
    let isDone = false;
    void done.finally(() => (isDone = true));
    const readOn = async (client: Client) => {
      while (!isDone) {
        const startedAt = performance.now();
        const { status } = await client.get(path());
        const isInTime = performance.now() - startedAt < MAX_READ_MS;
        expect({ status, isInTime }).toEqual({ status: 200, isInTime: true });
      }
    };
    await Promise.all([done, ...[...bob, ...bob].map(readOn)]);
  }

  it('no request fails when the replica stops, and the replica is used again later', async () => {
    await untilUsed();
    const logged = untilLogged('Reads go to the primary.');
    await readUntil(postgres.stopStandby().then(() => logged));
    expect(await readsOf(() => nameFor(bob[0]))).toEqual({ replica: 0, primary: 1 });
    await readUntil(postgres.startStandby().then(untilUsedByWriter));
  });

  /** Other reads run meanwhile, so counts are not exact. */
  const untilUsedByWriter = () =>
    eventually('the replica to be used', async () => {
      const { replica } = await readsOf(() => ada[0].get(path()));
      return replica > 0;
    });

  it('no request fails when the replica falls silent', async () => {
    await untilUsed();
    const logged = untilLogged('Reads go to the primary.');
    postgres.fallSilent();
    await readUntil(logged);
    expect(await readsOf(() => nameFor(bob[0]))).toEqual({ replica: 0, primary: 1 });
    postgres.speakAgain();
    await untilUsed();
  });

  it('reads from the primary while Redis does not respond', async () => {
    await untilUsed();
    redis.fallSilent();
    const reads = await readsOf(async () => {
      await rename('without Redis');
      expect([await nameFor(ada[0]), await nameFor(ada[1])]).toEqual([
        'without Redis',
        'without Redis',
      ]);
    });
    redis.speakAgain();
    expect(reads).toEqual({ replica: 0, primary: 2 });
    await untilUsed();
  });

  it('an API without Redis knows what it has written itself', async () => {
    await untilUsed();
    const alone = await startApi({ REDIS_URL: '' });
    await alone.program.waitForOutput('set REDIS_URL, or run only one API');
    await alone.program.waitForOutput('Reads go to the replica.');
    const [writer, reader] = [
      new Client(alone.url, ada[0].token),
      new Client(alone.url, bob[0].token),
    ];
    await rename('before');
    await eventually('the replay', async () => (await nameFor(reader)) === 'before');
    await postgres.pauseReplay();
    await writer.put(path(), { name: 'after' });
    expect([await nameFor(writer), await nameFor(reader)]).toEqual(['after', 'before']);
  });

  it('the doctor describes the replica, and a promoted one is not used', async () => {
    await untilUsed();
    const diagnose = async (changes: Record<string, string> = {}) => {
      const findings = await examine({ ...environment, ...changes }, []);
      return findings
        .filter(({ subject }) => subject === 'replica')
        .map(({ level, text }) => `${level} ${text}`);
    };
    expect(await diagnose()).toEqual([expect.stringMatching(/^ok The replica .* behind/)]);
    expect(await diagnose({ REDIS_URL: '' })).toContainEqual(
      expect.stringMatching(/^warning .*REDIS_URL/),
    );
    const logged = untilLogged('Reads go to the primary.');
    await postgres.promote();
    await logged;
    await rename('promoted');
    expect([await nameFor(bob[0]), await nameFor(bob[1])]).toEqual(['promoted', 'promoted']);
    expect(await readsOf(() => nameFor(bob[0]))).toEqual({ replica: 0, primary: 1 });
    expect(await diagnose()).toEqual([
      expect.stringMatching(/^problem .*does not point to a standby/),
    ]);
  });
});
