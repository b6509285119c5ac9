import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import type { Containers } from './containers.js';

const MEMBERS = [1, 2, 3] as const;
const START_TIMEOUT_MS = 120_000;
const REQUEST_TIMEOUT_MS = 2_000;

/** Three servers of one kind, of which one leads. */
export interface Engine {
  services: readonly string[];
  /** The service that leads, as the others say. Undefined while there is none. */
  leader: () => Promise<string | undefined>;
  /** Whether all three take part, so that the loss of any of them is survived. */
  isWhole: () => Promise<boolean>;
}

export async function untilWhole(name: string, engine: Engine): Promise<void> {
  await eventually(`${name} to be whole`, () => engine.isWhole().catch(() => false), {
    timeout: START_TIMEOUT_MS,
  });
}

const namesOf = (kind: string) => MEMBERS.map((number) => `${kind}-${number}`);

async function askAny<T>(
  services: readonly string[],
  ask: (service: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const service of services) {
    const response = await ask(service).catch(() => undefined);
    if (response !== undefined) return response;
  }
  return undefined;
}

const load = async (url: string, body?: object): Promise<unknown> => {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return response.json();
};

export function etcd(containers: Containers): Engine {
  const services = namesOf('etcd');
  const status = async (service: string) => {
    const url = `http://${containers.addressOf(service)}:2379/v3/maintenance/status`;
    const { header, leader } = (await load(url, {})) as {
      header: { member_id: string };
      leader?: string;
    };
    return { isLeader: leader === header.member_id, leader };
  };
  return {
    services,
    leader: () =>
      askAny(services, async (service) => ((await status(service)).isLeader ? service : undefined)),
    isWhole: async () => {
      const leaders = await Promise.all(
        services.map(async (service) => (await status(service)).leader),
      );
      return leaders[0] !== undefined && new Set(leaders).size === 1;
    },
  };
}

interface Member {
  name: string;
  role: string;
  state: string;
  lag?: number | string;
}

/** PostgreSQL, as the programming interface of Patroni sees it. */
export function postgres(containers: Containers): Engine {
  const services = namesOf('postgres');
  const members = () =>
    askAny(services, async (service) => {
      const url = `http://${containers.addressOf(service)}:8008/cluster`;
      return ((await load(url)) as { members: Member[] }).members;
    });
  const withRole = (all: Member[] | undefined, role: string) =>
    all?.filter((member) => member.role === role) ?? [];
  return {
    services,
    leader: async () => {
      const [leader] = withRole(await members(), 'leader');
      return services.find((service) => containers.addressOf(service) === leader?.name);
    },
    isWhole: async () => {
      const all = (await members()) ?? [];
      return (
        withRole(all, 'leader').length === 1 &&
        withRole(all, 'sync_standby').length === 1 &&
        all.filter(({ state, lag }) => /running|streaming/.test(state) && (lag ?? 0) === 0)
          .length === MEMBERS.length
      );
    },
  };
}

type Fields = Record<string, string>;

const fieldsOf = (pairs: string[]): Fields =>
  Object.fromEntries(
    pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])),
  );

/** Redis, as its sentinels see it. */
export function redis(containers: Containers): Engine {
  const services = namesOf('redis');
  const sentinels = namesOf('sentinel');
  const ask = async <T>(service: string, question: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(26_379, containers.addressOf(service), {
      maxRetriesPerRequest: 0,
      commandTimeout: REQUEST_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      return await question(client);
    } finally {
      client.disconnect();
    }
  };
  const primary = (client: Redis) =>
    client.call('SENTINEL', 'MASTER', 'galley') as Promise<string[]>;
  return {
    services,
    leader: async () => {
      const address = await askAny(sentinels, (name) =>
        ask(name, async (client) => fieldsOf(await primary(client))['ip']),
      );
      return services.find((service) => containers.addressOf(service) === address);
    },
    isWhole: async () => {
      const states = await Promise.all(
        sentinels.map((name) =>
          ask(name, async (client) => {
            const { flags, 'num-other-sentinels': others } = fieldsOf(await primary(client));
            const replicas = (await client.call('SENTINEL', 'REPLICAS', 'galley')) as string[][];
            const healthy = replicas
              .map(fieldsOf)
              .filter(
                (replica) => replica['flags'] === 'slave' && replica['master-link-status'] === 'ok',
              );
            return flags === 'master' && others === '2' && healthy.length === 2;
          }),
        ),
      );
      return states.every(Boolean);
    },
  };
}
