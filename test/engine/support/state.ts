/*
 * The state of an endpoint before and after a statement, in the columns of the database. Times are seconds
 * from the time of the statement: -1 is a second ago, 0 is now, `Infinity` is PostgreSQL's infinity.
 */
export interface State {
  endpoint?: Partial<EndpointColumns>;
  traffic?: Partial<TrafficColumns>;
  /**
   * Deliveries by name. By default, a delivery is due, and its event is the next one of the feed and
   * belongs to a new resource.
   */
  deliveries?: Record<string, Partial<DeliveryColumns>>;
  /** Finished deliveries by name. */
  log?: Record<string, Partial<LogColumns>>;
}

export interface EndpointColumns {
  status: 'active' | 'failing' | 'disabled';
  status_since: number;
  rate_limit: number | null;
  ordered: boolean;
  events: string[];
  resource_ids: string[] | null;
  workspace_deleted_at: number | null;
}

export interface TrafficColumns {
  queued: boolean;
  wake_at: number | null;
  in_flight: number;
  claimed_until: number;
  window_size: number;
  failures: number;
  failing_since: number | null;
  failed_at: number | null;
  opened: number;
  open_until: number;
  paced_until: number;
  is_draining: boolean;
  is_pause_requested: boolean;
  last_failed_delivery_id: string | null;
  last_failed_claim: number | null;
}

/** Columns that a delivery has from its event. */
interface EventColumns {
  kind: string;
  resource_id: string;
  event_position: number;
  /** If given, this is also the time in the id of a pending delivery. */
  event_relayed_at: number;
}

export interface DeliveryColumns extends EventColumns {
  due_at: number;
  claims: number;
  claimed_until: number | null;
  attempts: number;
  is_ordered: boolean;
  replay_id: string | null;
}

export interface LogColumns extends EventColumns {
  status: 'delivered' | 'failed' | 'cancelled';
  attempts: number;
  finished_at: number;
  replay_id: string | null;
}

/** The resources of ordered deliveries. */
export const RESOURCE_A = '00000000-0000-7000-8000-00000000000a';
export const RESOURCE_B = '00000000-0000-7000-8000-00000000000b';
