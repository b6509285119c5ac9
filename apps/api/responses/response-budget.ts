/** A response that stays in memory until the client has read it. */
interface HeldResponse {
  bytes: number;
  close: () => void;
}

/** The maximum number of bytes of unread responses, per caller and in total for this process. */
export interface ResponseQuotas {
  perCaller: number;
  total: number;
}

/**
 * Counts the bytes of responses that clients have not read yet. Callers usually read a response within
 * milliseconds, so a caller that reads its responses hardly ever reaches its quota.
 */
export class ResponseBudget {
  private readonly responsesByCaller = new Map<string, Set<HeldResponse>>();
  private readonly bytesByCaller = new Map<string, number>();
  private totalBytes = 0;

  constructor(private readonly quotas: ResponseQuotas) {}

  /** Whether a caller may get one more response, whose size is not known yet. */
  canAdmit(caller: string): boolean {
    const callerBytes = this.bytesByCaller.get(caller) ?? 0;
    if (callerBytes >= this.quotas.perCaller) return false;
    return (
      this.totalBytes < this.quotas.total ||
      callerBytes < (this.bytesByCaller.get(this.largestCaller()) ?? 0)
    );
  }

  /**
   * Counts a response until the returned function is called. While the caller's quota is reached, closes the caller's
   * oldest responses. While the total quota is reached, closes the oldest responses of the caller with the most bytes.
   */
  hold(caller: string, response: HeldResponse): () => void {
    while ((this.bytesByCaller.get(caller) ?? 0) >= this.quotas.perCaller) this.closeOldest(caller);
    while (this.totalBytes >= this.quotas.total) this.closeOldest(this.largestCaller());
    const held = this.responsesByCaller.get(caller) ?? new Set();
    this.responsesByCaller.set(caller, held.add(response));
    this.addBytes(caller, response.bytes);
    return () => this.release(caller, response);
  }

  private closeOldest(caller: string): void {
    for (const oldest of this.responsesByCaller.get(caller) ?? []) {
      this.release(caller, oldest);
      oldest.close();
      return;
    }
  }

  private release(caller: string, response: HeldResponse): void {
    if (this.responsesByCaller.get(caller)?.delete(response))
      this.addBytes(caller, -response.bytes);
  }

  private addBytes(caller: string, bytes: number): void {
    this.totalBytes += bytes;
    const callerBytes = (this.bytesByCaller.get(caller) ?? 0) + bytes;
    this.bytesByCaller.set(caller, callerBytes);
    if (callerBytes > 0) return;
    this.bytesByCaller.delete(caller);
    this.responsesByCaller.delete(caller);
  }

  /**
   * Visits all callers with unread responses. That is acceptable, because this method runs only while the total quota
   * is reached.
   */
  private largestCaller(): string {
    let [largest, largestBytes] = ['', 0];
    for (const [caller, bytes] of this.bytesByCaller)
      if (bytes > largestBytes) [largest, largestBytes] = [caller, bytes];
    return largest;
  }
}
