import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Program } from '../../support/processes/program.js';

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
});
afterAll(() => galley.stop());

async function erase(person: string) {
  const program = new Program(
    process.execPath,
    ['dist/apps/maintenance/erase-user.js', person],
    galley.environment,
  );
  const [code] = await program.exited;
  return { code, output: program.output };
}

const IP_ADDRESS = '203.0.113.77';

/** A client of a person with a name, who calls from `IP_ADDRESS`. */
async function signIn(subject: string, email: string): Promise<Client> {
  const claims = {
    email,
    email_verified: true,
    given_name: 'Marigold',
    family_name: 'Hopperton',
  };
  const token = await galley.issuer.token(subject, { claims });
  return new Client(galley.url, token, { 'x-forwarded-for': IP_ADDRESS });
}

const userIdOf = async (client: Client) =>
  (await client.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;

/** The rows of all tables that have one of these texts. */
async function findEverywhere(texts: string[]): Promise<string[]> {
  const tables = await galley.database.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await galley.database.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} t WHERE t::text ILIKE ANY ($1)`,
        [texts.map((text) => `%${text}%`)],
      );
      return rows.map(({ row }) => `${name} ${row}`);
    }),
  );
  return found.flat();
}

it.each(['id', 'email address'])(
  'nothing about a person is left, who is erased by %s',
  async (by) => {
    const name = by.replace(' ', '-');
    const [subject, email] = [`subject-of-${name}`, `Grace.${name}@example.com`];
    const texts = [subject, email, 'Marigold', 'Hopperton', IP_ADDRESS];
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const members = `/api/workspaces/${workspaceId}/members`;
    await ada.post(members, { email, role: 'admin' });
    const grace = await signIn(subject, email);
    const userId = await userIdOf(grace);
    const { body: own } = await grace.post<{ id: string }>('/api/workspaces', { name: 'Own' });
    const { body: template } = await grace
      .with({ 'idempotency-key': name })
      .post<{ id: string }>('/api/templates', { name: 'A', workspaceId });
    await grace.post(`/api/workspaces/${workspaceId}/keys`, { name: 'Key', role: 'viewer' });
    await galley.database.query(
      `INSERT INTO provider_memberships (issuer, id, organization_id, subject, role, status,
       provider_updated_at, provider_event_id)
     VALUES ($1, $2, 'organization', $2, 'viewer', 'active', now(), '')`,
      [galley.issuer.url, subject],
    );
    // The invitation waits, because the person has not signed in since.
    const { id: otherWorkspaceId } = await galley.createWorkspaceFor('ada');
    await galley.database.query('DELETE FROM workspace_members WHERE user_id = $1', [userId]);
    await galley.database.query(
      `INSERT INTO users (id, issuer, subject, email, status, verified_email)
     VALUES (gen_random_uuid(), 'urn:galley:invitation', $1, $1, 'invited', NULL)`,
      [email.toLowerCase()],
    );
    await galley.database.query(
      `INSERT INTO workspace_members (workspace_id, user_id, role)
     SELECT workspace_id, id, 'viewer' FROM users, unnest($1::uuid[]) workspace_id
     WHERE users.id = $2 OR (users.subject = $3 AND workspace_id = $4)`,
      [[workspaceId, otherWorkspaceId], userId, email.toLowerCase(), otherWorkspaceId],
    );
    expect((await findEverywhere(texts)).length).toBeGreaterThan(5);

    const { code, output } = await erase(by === 'id' ? userId : email.toUpperCase());
    expect(code).toBe(0);
    expect(output).toContain(`Erased the user ${userId}.`);
    expect(await findEverywhere(texts)).toEqual([]);
    expect((await grace.get('/api/auth/me')).status).toBe(401);
    expect(await galley.database.count(`workspace_members WHERE user_id = '${userId}'`)).toBe(0);

    // The history remains, with the id alone, and the audit log says what happened.
    const versions = await ada.get<{ data: { createdBy: string }[] }>(
      `/api/templates/${template.id}/versions`,
    );
    expect(versions.body.data.map(({ createdBy }) => createdBy)).toEqual([userId]);
    const { body: log } = await ada.get<{ data: { action: string; targetId: string }[] }>(
      `/api/workspaces/${workspaceId}/audit?action=member.erased`,
    );
    expect(log.data).toMatchObject([
      {
        action: 'member.erased',
        targetId: userId,
        actor: null,
        address: null,
        details: { role: 'viewer' },
      },
    ]);
    const inOwn = `audit_entries WHERE action = 'member.erased' AND workspace_id = '${own.id}'`;
    expect(await galley.database.count(inOwn)).toBe(1);

    const again = await erase(by === 'id' ? userId : email);
    expect(again.output).toContain(
      by === 'id' ? 'from 0 audit log entries' : 'nothing about this person',
    );
  },
);

it('a person is named by an id or an email address, and must exist', async () => {
  expect((await erase('ada')).output).toContain('npm run erase-user -- <user id or email address>');
  const { code, output } = await erase('nobody@example.com');
  expect([code, output]).toEqual([1, 'Galley stores nothing about this person.\n']);
});
