import Fastify from 'fastify';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

/**
 * Creates, reads and lists templates as Galley does, with bare Fastify and node-postgres. It runs prepared
 * statements one after another on ten connections, as many as the API of Galley has. It has no tokens, no
 * validation and no log.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = Fastify({ bodyLimit: 1024 * 1024 });

interface NewTemplate {
  name: string;
  workspaceId: string;
  content: object;
}

app.get('/health/ready', () => ({ status: 'ok' }));

app.post<{ Body: NewTemplate }>('/templates', async (request, reply) => {
  const { name, workspaceId, content } = request.body;
  const id = uuidv7();
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ createdAt: Date; updatedAt: Date }>({
      name: 'template',
      text: `INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
        VALUES ($1, 'template', $2, $3, 1, now(), now())
        RETURNING created_at AS "createdAt", updated_at AS "updatedAt"`,
      values: [id, workspaceId, name],
    });
    await client.query({
      name: 'version',
      text: `INSERT INTO document_versions
          (document_id, kind, version, name, content, content_bytes, created_by, created_at)
        VALUES ($1, 'template', 1, $2, $3, 0, $4, now())`,
      values: [id, name, JSON.stringify(content), process.env['USER_ID']],
    });
    await client.query({
      name: 'outbox',
      text: `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
        VALUES ($1, 'template.created', $2, $3, 1, $4)`,
      values: [uuidv7(), workspaceId, id, JSON.stringify({ id, name, workspaceId, version: 1 })],
    });
    await client.query('COMMIT');
    return await reply.status(201).send({ id, name, workspaceId, content, version: 1, ...rows[0] });
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

app.get<{ Params: { id: string } }>('/templates/:id', async (request, reply) => {
  const { rows } = await pool.query({
    name: 'read',
    text: `SELECT template.id, template.name, template.workspace_id AS "workspaceId",
        version.content, template.version,
        template.created_at AS "createdAt", template.updated_at AS "updatedAt"
      FROM documents template
      JOIN document_versions version
        ON version.document_id = template.id AND version.version = template.version
      WHERE template.id = $1`,
    values: [request.params.id],
  });
  return rows.length === 0 ? reply.status(404).send() : rows[0];
});

app.get<{ Querystring: { workspaceId: string } }>('/templates', async (request) => {
  const { rows } = await pool.query({
    name: 'list',
    text: `SELECT id, name, workspace_id AS "workspaceId", version,
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM documents WHERE workspace_id = $1 AND kind = 'template' ORDER BY updated_at DESC, id DESC LIMIT 50`,
    values: [request.query.workspaceId],
  });
  return { data: rows };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
