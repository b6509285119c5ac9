import type { DeliveryColumns, EndpointColumns, State, TrafficColumns } from './state.js';

/** Selects rows. Times are in seconds from the fixed time. */
export type Select = <Row extends object>(text: string, ...values: unknown[]) => Promise<Row[]>;

/** An endpoint whose deliveries have names. */
export class PreparedEndpoint {
  private readonly deliveryIds = new Map<string, string>();

  constructor(
    private readonly select: Select,
    readonly id: string,
    readonly workspaceId: string,
  ) {}

  nameDelivery(name: string, id: string): void {
    this.deliveryIds.set(name, id);
  }

  idOf(name: string): string {
    const id = this.deliveryIds.get(name);
    if (id === undefined) throw new Error(`No delivery has the name ${name}.`);
    return id;
  }

  nameOf(deliveryId: string): string | undefined {
    return [...this.deliveryIds].find(([, id]) => id === deliveryId)?.[0];
  }

  /** Reads the state after a statement. */
  async read(): Promise<Required<State>> {
    const { id } = this;
    const [endpoint] = await this.select<EndpointColumns>(
      'SELECT * FROM webhook_endpoints WHERE id = $1',
      id,
    );
    const [traffic] = await this.select<TrafficColumns>(
      'SELECT * FROM webhook_traffic WHERE endpoint_id = $1',
      id,
    );
    return {
      endpoint: endpoint ?? {},
      traffic: traffic ?? {},
      deliveries: await this.readByName('webhook_deliveries'),
      log: await this.readByName('webhook_delivery_log'),
    };
  }

  private async readByName(table: string): Promise<Record<string, Partial<DeliveryColumns>>> {
    const rows = await this.select<DeliveryColumns & { id: string }>(
      `SELECT * FROM ${table} WHERE endpoint_id = $1`,
      this.id,
    );
    return Object.fromEntries(rows.map((row) => [this.nameOf(row.id) ?? row.id, row]));
  }
}
