import { randomUUID } from 'node:crypto';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';
import { startEngine } from './engine.js';
import { PreparedEndpoint, type Select } from './prepared-endpoint.js';
import type { DeliveryColumns, LogColumns, State } from './state.js';

// Statements find these functions before the functions of PostgreSQL with the same names. So the tests know
// every computed time to the millisecond, and the jitter of a pause exactly.
const FIXED_FUNCTIONS = (now: Date) => `CREATE SCHEMA fixed;
  CREATE FUNCTION fixed.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT '${now.toISOString()}'::timestamptz $$;
  CREATE TABLE fixed.jitter (value float8 NOT NULL);
  INSERT INTO fixed.jitter VALUES (0.5);
  CREATE FUNCTION fixed.random() RETURNS float8 LANGUAGE sql VOLATILE
    AS $$ SELECT value FROM fixed.jitter $$;`;

const IS_TIME = /_(at|until|since)$/;

/** A database on which the engine's statements run alone, at a time that stands still. */
export class PreparedDatabase {
  private constructor(
    private readonly context: INestApplicationContext,
    private readonly test: TestDatabase,
    private readonly now: Date,
  ) {}

  static async start(): Promise<PreparedDatabase> {
    const test = await createDatabase();
    // The partitions of the template database begin with this week, so the fixed time must be in this week.
    const now = new Date();
    await test.query(FIXED_FUNCTIONS(now));
    const context = await startEngine(test.url, 'fixed');
    return new PreparedDatabase(context, test, now);
  }

  /** Returns the engine's instance of a class that owns statements, such as `Claims`. */
  get<Owner>(owner: Type<Owner>): Owner {
    return this.context.get(owner, { strict: false });
  }

  async stop(): Promise<void> {
    await this.context.close();
    await this.test.drop();
  }

  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    return this.test.query<Row>(text, values);
  }

  /** Sets the result of `random()`, which is 0.5 by default. */
  async setRandom(value: number): Promise<void> {
    await this.query('UPDATE fixed.jitter SET value = $1', [value]);
  }

  /** Creates an endpoint with its traffic and deliveries, in a new workspace. */
  async prepare(state: State): Promise<PreparedEndpoint> {
    const { endpoint, traffic, deliveries = {}, log = {} } = state;
    const [id, workspaceId] = [randomUUID(), randomUUID()];
    await this.insert('workspaces', { id: workspaceId, name: 'Prepared' });
    await this.insert('webhook_endpoints', {
      id,
      workspace_id: workspaceId,
      url: 'https://receiver.example/',
      events: ['*'],
      description: '',
      encrypted_secret: 'encrypted secret',
      status_since: -3_600,
      ...endpoint,
    });
    await this.insert('webhook_traffic', { endpoint_id: id, ...traffic });
    const prepared = new PreparedEndpoint(this.select, id, workspaceId);
    for (const [index, [name, columns]] of Object.entries(deliveries).entries()) {
      const row = this.deliveryRow(prepared, name, index, columns, columns.event_relayed_at);
      await this.insert('webhook_deliveries', { due_at: index - 60, ...row });
    }
    for (const [index, [name, columns]] of Object.entries(log).entries()) {
      const row = this.deliveryRow(prepared, name, index, columns);
      const finished = { status: 'delivered', attempts: 1, finished_at: -300 };
      await this.insert('webhook_delivery_log', { ...finished, ...row });
    }
    return prepared;
  }

  private deliveryRow(
    endpoint: PreparedEndpoint,
    name: string,
    index: number,
    columns: Partial<DeliveryColumns | LogColumns>,
    createdAt = 0,
  ): object {
    const id = uuidv7({ msecs: this.dateAt(createdAt).getTime(), seq: index });
    endpoint.nameDelivery(name, id);
    return {
      endpoint_id: endpoint.id,
      id,
      workspace_id: endpoint.workspaceId,
      event_position: index + 1,
      event_relayed_at: -600,
      event_id: randomUUID(),
      kind: 'template.updated',
      resource_id: randomUUID(),
      sequence: index + 1,
      ...columns,
    };
  }

  /** Inserts a row. Times are in seconds from the fixed time. */
  async insert(table: string, row: object): Promise<void> {
    const columns = Object.entries(row);
    const names = columns.map(([name]) => name).join(', ');
    const parameters = columns.map((_, index) => `$${index + 1}`).join(', ');
    const values = columns.map(([name, value]) =>
      IS_TIME.test(name) && typeof value === 'number'
        ? this.toTimestamp(value)
        : (value as unknown),
    );
    await this.query(`INSERT INTO ${table} (${names}) VALUES (${parameters})`, values);
  }

  /** Selects rows. Times are in seconds from the fixed time. */
  readonly select: Select = async <Row extends object>(text: string, ...values: unknown[]) => {
    const rows = await this.query<Row>(text, values);
    return rows.map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            IS_TIME.test(name) && value !== null
              ? (Number(value) - this.now.getTime()) / 1_000
              : (value as unknown),
          ]),
        ) as Row,
    );
  };

  /** The time that is `seconds` after the fixed time. */
  dateAt(seconds: number): Date {
    return new Date(this.now.getTime() + seconds * 1_000);
  }

  private toTimestamp(seconds: number): string {
    if (!Number.isFinite(seconds)) return seconds < 0 ? '-infinity' : 'infinity';
    return this.dateAt(seconds).toISOString();
  }
}
