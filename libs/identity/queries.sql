-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- purge (libs/identity/identity-housekeeping.ts)
-- Writes: Delete identity_provider_messages
DELETE FROM identity_provider_messages
       WHERE received_at < now() - interval '30 days';

-- me (libs/identity/users.ts)
-- Parameters: $1 uuid
SELECT id, email, first_name AS "firstName", last_name AS "lastName"
       FROM users WHERE id = $1 AND status = 'active';

-- resolveId (libs/identity/users.ts)
-- Parameters: $1 text, $2 text
SELECT id, status, verified_email AS "verifiedEmail",
  email_said_at AS "emailReportedAt", EXISTS (SELECT FROM users invited
     WHERE invited.issuer = 'urn:galley:invitation' AND invited.subject = users.verified_email) AS "isInvited"
       FROM users WHERE issuer = $1 AND subject = $2;

-- upsertFromToken (libs/identity/users.ts)
-- Parameters: $1 uuid, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 timestamp with time zone
-- Writes: Insert users
INSERT INTO users AS stored
           (id, issuer, subject, email, first_name, last_name, verified_email, email_said_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (issuer, subject) DO UPDATE SET
           verified_email = CASE WHEN stored.status <> 'deleted'
  AND $8::timestamptz >= coalesce(stored.email_said_at, '-infinity') THEN $7 ELSE stored.verified_email END,
           email_said_at = CASE WHEN stored.status <> 'deleted'
  AND $8::timestamptz >= coalesce(stored.email_said_at, '-infinity') THEN $8 ELSE stored.email_said_at END
         RETURNING id, status, verified_email AS "verifiedEmail",
  email_said_at AS "emailReportedAt";
