/*
 * The statements of `DatabaseInspection`. They read only settings and catalogues, and work on any version of
 * PostgreSQL, including those that Galley does not support.
 */

export const SERVER_STATE = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::integer AS "versionNumber",
    current_setting('server_encoding') AS encoding,
    current_user AS "user",
    pg_is_in_recovery() AS "isStandby",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    has_database_privilege(current_database(), 'CREATE') AS "canCreateSchemas",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreateTables"`;

// The worker creates and drops partitions, which only the owner of the partitioned table may do.
export const MISSING_PRIVILEGES = `
  SELECT
    coalesce(json_agg(relname ORDER BY relname) FILTER (WHERE NOT (
      has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
    )), '[]') AS unwritable,
    coalesce(json_agg(relname ORDER BY relname) FILTER (
      WHERE relkind = 'p' AND NOT pg_has_role(relowner, 'USAGE')
    ), '[]') AS "notOwned"
  FROM pg_class
  WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migrations'))
    AND relkind IN ('r', 'p') AND NOT relispartition`;

export const CONNECTION_LIMITS = `
  SELECT least(
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer,
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
    ) AS capacity,
    (SELECT sum(numbackends)::integer FROM pg_stat_database) AS used`;
