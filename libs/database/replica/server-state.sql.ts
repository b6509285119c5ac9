/*
 * The statements that the replica check and the doctor send to the primary and to the replica. A standby has the same
 * system identifier and the same databases as its primary.
 */

const IDENTITY = `system_identifier::text || ' ' || current_database() AS identity`;

/**
 * `position` is the end of the WAL that has been flushed to disk, because a standby never receives more. The statement
 * fails on a standby.
 */
export const SELECT_PRIMARY = `SELECT ${IDENTITY}, pg_current_wal_flush_lsn() AS position FROM pg_control_system()`;

/** On a promoted server, `position` remains the position at which the server was promoted. */
export const SELECT_REPLICA = `SELECT ${IDENTITY}, pg_is_in_recovery() AS "isStandby",
    coalesce(pg_last_wal_replay_lsn(), '0/0') AS position
  FROM pg_control_system()`;

export interface PrimaryState {
  identity: string;
  position: string;
}

export interface ReplicaState extends PrimaryState {
  isStandby: boolean;
}
