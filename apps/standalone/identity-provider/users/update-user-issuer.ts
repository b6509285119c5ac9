import pg from 'pg';

/**
 * Moves existing users to a new issuer. Galley identifies a user by issuer and subject. The issuer's URL contains the
 * provider's port, which may change at each start.
 */
export async function updateUserIssuer(databaseUrl: string, issuer: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `UPDATE users SET issuer = $1 WHERE id IN (
       SELECT DISTINCT ON (subject) id FROM users WHERE issuer NOT LIKE 'urn:galley:%'
       ORDER BY subject, issuer = $1 DESC, created_at
     ) AND issuer <> $1`,
    [issuer],
  );
  await client.end();
}
