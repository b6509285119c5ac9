import { Logger } from '@nestjs/common';
import pg from 'pg';

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
// Left to itself the system asks for the first time after two hours.
const KEEP_ALIVE_MS = 10_000;

/** Calls `handle` at each NOTIFY of a channel. A connection that is lost is replaced after a second. */
export class Listener {
  private readonly logger = new Logger(Listener.name);
  private client: pg.Client | undefined;
  private stopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly channel: string,
    private readonly handle: () => void,
  ) {
    void this.connect();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'galley listener',
      // Nothing is ever sent on it, so that nobody would notice a line that was cut in silence.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    this.client = client;
    const report = (error: unknown) => this.logger.warn({ err: error, stage: 'wake-up' });
    client.on('error', report);
    client.on('notification', this.handle);
    client.once('end', () => setTimeout(() => this.reconnect(), RECONNECT_MS).unref());
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
    } catch (error) {
      if (!this.stopped) report(error);
      await client.end();
    }
  }

  private reconnect(): void {
    if (!this.stopped) void this.connect();
  }
}
