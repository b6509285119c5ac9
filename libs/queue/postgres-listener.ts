import { Logger } from '@nestjs/common';
import pg from 'pg';

const RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
// By default the operating system sends the first keep-alive probe after two hours.
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Calls `handle` for each NOTIFY on a channel. A lost connection is replaced after a second. */
export class PostgresListener {
  private readonly logger = new Logger(PostgresListener.name);
  private client: pg.Client | undefined;
  private isStopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly channel: string,
    private readonly handle: () => void,
  ) {
    void this.connect();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const logError = (error: unknown) =>
      this.logger.warn(
        { err: error, stage: 'wake-up' },
        'PostgreSQL does not signal new events at the moment; the relay polls once a second instead.',
      );
    let client: pg.Client;
    try {
      client = this.createClient();
    } catch (error) {
      // The driver throws if it cannot read a certificate file that the URL refers to.
      logError(error);
      this.reconnectLater();
      return;
    }
    this.client = client;
    client.on('error', logError);
    client.on('notification', this.handle);
    client.once('end', () => this.reconnectLater());
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
    } catch (error) {
      if (!this.isStopped) logError(error);
      await client.end();
    }
  }

  private createClient(): pg.Client {
    return new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'galley listener',
      // The listener never sends anything, so without keep-alive it would not notice that the connection is gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
  }

  private reconnectLater(): void {
    setTimeout(() => {
      if (!this.isStopped) void this.connect();
    }, RECONNECT_DELAY_MS).unref();
  }
}
