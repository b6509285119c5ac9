import pg from 'pg';

/**
 * Users are known by issuer and subject, and the issuer's address has the provider's port in it,
 * which may be another one at each start: they go along.
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
