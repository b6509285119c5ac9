import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

// The provider checks the expiry of entries itself; the limit only bounds the memory.
const MAX_ENTRIES = 10_000;

/**
 * Creates the provider's session store, which all `Provider` instances with the same factory share. After a restart,
 * users must sign in again, but their access tokens stay valid: access tokens are JWTs, which are not stored. The
 * library's own in-memory store would print a warning at each start.
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
