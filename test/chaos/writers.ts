import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { JobQueue } from '#queue';
import type { Ledger } from './ledger.js';

const BATCH = 10;
const BATCH_PAUSE_MS = 250;
const API_WRITERS = 4;
const API_PAUSE_MS = 200;
const RETRY_PAUSE_MS = 100;
// An API gives up a silent database after 35 s.
const REQUEST_TIMEOUT_MS = 60_000;

interface Context {
  databaseUrl: string;
  workspaceId: string;
  token: string;
  programs: { apiUrls: readonly string[] };
  ledger: Ledger;
  signals: JobQueue;
}

/** Changes the data all the time, through the API and beside it, and tells the ledger about each change. */
export class Writers {
  /** Responses other than 201, 503 with `Retry-After`, and 409 for a request that is still being handled. */
  readonly wrongResponses: string[] = [];
  readonly responses = { created: 0, unavailable: 0, inUse: 0, lost: 0 };
  /** Names of templates that were created, exactly once. */
  readonly createdNames: string[] = [];
  /** Names of templates of which a response said that nothing was changed. */
  readonly refusedNames: string[] = [];
  lastCreatedAt = 0;
  /** When the latest request was sent that created something. */
  lastCreatedSentAt = 0;
  private isRunning = true;
  private readonly running: Promise<unknown>;

  constructor(private readonly context: Context) {
    const apiWriters = Array.from({ length: API_WRITERS }, () => this.writeThroughApi());
    this.running = Promise.all([this.writeToOutbox(), ...apiWriters]);
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await this.running;
  }

  private async writeThroughApi(): Promise<void> {
    while (this.isRunning) {
      // With an Idempotency-Key, the request is repeated until it succeeds. Without a key, it is sent once.
      await this.create(randomInt(2) === 0 ? randomUUID() : undefined);
      await delay(API_PAUSE_MS);
    }
  }

  private async create(key: string | undefined): Promise<void> {
    const name = randomUUID();
    for (;;) {
      const sentAt = Date.now();
      const response = await this.send(name, key).catch(() => undefined);
      if (response === undefined) {
        this.responses.lost++;
      } else if (response.status === 201) {
        this.responses.created++;
        this.lastCreatedAt = Date.now();
        this.lastCreatedSentAt = Math.max(this.lastCreatedSentAt, sentAt);
        this.createdNames.push(name);
        this.context.ledger.promise((JSON.parse(response.text) as { id: string }).id);
        return;
      } else if (response.status === 503 && response.retryAfter !== null) {
        this.responses.unavailable++;
        if (key === undefined && /nothing was changed|No database connection/.test(response.text)) {
          this.refusedNames.push(name);
        }
      } else if (response.status === 409 && key !== undefined && response.retryAfter !== null) {
        this.responses.inUse++;
      } else {
        this.wrongResponses.push(`${response.status} ${response.text}`);
      }
      await delay(RETRY_PAUSE_MS);
      if (key === undefined) return;
    }
  }

  private async send(name: string, key: string | undefined) {
    const { programs, token, workspaceId } = this.context;
    const url = programs.apiUrls[randomInt(programs.apiUrls.length)];
    const response = await fetch(`${url}/api/templates`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ name, workspaceId }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  }

  /** Writes many events at a steady rate; a tenth of them is rolled back. */
  private async writeToOutbox(): Promise<void> {
    while (this.isRunning) {
      const isWritten = await this.writeBatch().then(
        () => true,
        () => false,
      );
      // Signals new events to the workers, as the API does.
      if (isWritten) await this.context.signals.signal().catch(() => undefined);
      await delay(BATCH_PAUSE_MS);
    }
  }

  private async writeBatch(): Promise<void> {
    const { databaseUrl, ledger } = this.context;
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const isRolledBack = randomInt(10) === 0;
      await client.query('BEGIN');
      const ids = await this.insertBatch(client);
      if (isRolledBack) for (const id of ids) ledger.rollBack(id);
      await client.query(isRolledBack ? 'ROLLBACK' : 'COMMIT');
      // If the response to COMMIT is lost, nobody knows whether the events were committed. Then they may
      // arrive or not.
      if (!isRolledBack) for (const id of ids) ledger.promise(id);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async insertBatch(client: pg.Client): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT gen_random_uuid(), 'template.created', $1, gen_random_uuid(), 1, '{}'
       FROM generate_series(1, $2::integer) RETURNING id`,
      [this.context.workspaceId, BATCH],
    );
    return rows.map(({ id }) => id);
  }
}
