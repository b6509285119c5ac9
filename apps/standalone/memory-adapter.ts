import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

// The provider looks itself whether an entry has expired; this only keeps memory from growing.
const MAX_ENTRIES = 10_000;

/**
 * What a provider keeps of logins, shared by whichever instances are made with it. Access tokens are
 * JWTs and not kept, so a restart costs browsers their login and nothing else. (The provider's own
 * store in memory warns on each start.)
 */
export function createMemoryAdapterFactory(): AdapterFactory {
  const adapters = new Map<string, MemoryAdapter>();
  return (model) => {
    const adapter = adapters.get(model) ?? new MemoryAdapter();
    adapters.set(model, adapter);
    return adapter;
  };
}

class MemoryAdapter implements Adapter {
  readonly #entries = new LRUCache<string, AdapterPayload>({ max: MAX_ENTRIES });

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#entries.set(id, payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#entries.get(id));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findBy((payload) => payload.uid === uid);
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findBy((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload !== undefined) {
      payload.consumed = Math.floor(Date.now() / 1_000);
    }
  }

  destroy(id: string): Promise<void> {
    this.#entries.delete(id);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of [...this.#entries]) {
      if (payload.grantId === grantId) {
        this.#entries.delete(id);
      }
    }
    return Promise.resolve();
  }

  #findBy(matches: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> {
    return Promise.resolve([...this.#entries.values()].find(matches));
  }
}
