import type { Adapter, AdapterPayload } from 'oidc-provider';

/**
 * What the provider keeps of grants and sessions. Access tokens are JWTs and not kept at all, so
 * nothing here is missed after a restart. (The provider's own store in memory warns on each start.)
 */
export class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, AdapterPayload>();

  upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    this.#entries.set(id, payload);
    setTimeout(() => this.#entries.delete(id), expiresIn * 1_000).unref();
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
    for (const [id, payload] of this.#entries) {
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
