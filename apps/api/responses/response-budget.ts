/** A response that is in memory until the caller has read it. */
interface Held {
  bytes: number;
  close: () => void;
}

/** Bytes of responses in memory, of one caller and of all callers of this process. */
export interface ResponseQuotas {
  caller: number;
  all: number;
}

/**
 * Counts the bytes of responses that were made and not yet read. Whoever reads nothing reaches a quota
 * alone: the other callers' responses are gone within milliseconds, or stay below their own quota.
 */
export class ResponseBudget {
  private readonly callers = new Map<string, Set<Held>>();
  private readonly bytesOf = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly quotas: ResponseQuotas) {}

  /** Whether a caller may have one more response made, whose size is not known yet. */
  admits(caller: string): boolean {
    const own = this.bytesOf.get(caller) ?? 0;
    if (own >= this.quotas.caller) return false;
    return this.bytes < this.quotas.all || own < (this.bytesOf.get(this.largest()) ?? 0);
  }

  /**
   * Holds a response until the function is called that this returns. If there is no room for it, the
   * oldest responses are closed: the caller's own, or those of the caller who has most.
   */
  hold(caller: string, response: Held): () => void {
    while ((this.bytesOf.get(caller) ?? 0) >= this.quotas.caller) this.closeOldest(caller);
    while (this.bytes >= this.quotas.all) this.closeOldest(this.largest());
    const held = this.callers.get(caller) ?? new Set();
    this.callers.set(caller, held.add(response));
    this.count(caller, response.bytes);
    return () => this.release(caller, response);
  }

  private closeOldest(caller: string): void {
    for (const oldest of this.callers.get(caller) ?? []) {
      this.release(caller, oldest);
      oldest.close();
      return;
    }
  }

  private release(caller: string, response: Held): void {
    if (this.callers.get(caller)?.delete(response)) this.count(caller, -response.bytes);
  }

  private count(caller: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesOf.get(caller) ?? 0) + bytes;
    this.bytesOf.set(caller, own);
    if (own > 0) return;
    this.bytesOf.delete(caller);
    this.callers.delete(caller);
  }

  /** Looked for only when memory is full; callers who hold nothing are not among them. */
  private largest(): string {
    let [name, most] = ['', 0];
    for (const [caller, bytes] of this.bytesOf) if (bytes > most) [name, most] = [caller, bytes];
    return name;
  }
}
