import { Injectable } from '@nestjs/common';
import {
  contentInPage,
  Database,
  freeCopyName,
  isAsSeen,
  JsonText,
  Keysets,
  listOrder,
  noEvent,
  originalName,
  touchedInTime,
  UnitOfWork,
  withEvents,
  type SortedRequest,
  type Statement,
  type SyncPage,
  type Transaction,
} from '#database';
import { DomainError, entityTag, refuseChanges, timesOf, type Precondition } from '#errors';
import { event } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerIn,
  joinMember,
  rightIn,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import { v7 as uuidv7 } from 'uuid';

export interface Template {
  id: string;
  name: string;
  workspaceId: string;
  content: JsonText;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A template without its document. */
export type TemplateSummary = Omit<Template, 'content'>;

export interface NewTemplate {
  name: string;
  workspaceId: string;
  content?: JsonText;
}

/** Any of the fields, at least one. The read-only ones may be repeated as they were read. */
export type TemplateChange = { name?: string; content?: JsonText } & {
  [Field in 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt']?: unknown;
};

export interface ListTemplates extends SortedRequest {
  workspaceId: string;
  /** Only those whose name contains this, in upper or lower case. */
  search?: string;
  /** false leaves the documents out. */
  content: boolean;
}

export interface Copy {
  name?: string;
  workspaceId?: string;
}

/** A template as PostgreSQL gives it. */
type Row = Omit<Template, 'content'> & { content: string };

type InsertedRow = CallerRow & Omit<Row, 'content'>;

// Each version is the result of one event, so that its number is also that event's sequence.
export const FIRST_VERSION = 1;
export const EMPTY_CONTENT = new JsonText('{"styles":{},"stripes":[]}');

export const columns = `template.id, template.name, template.workspace_id AS "workspaceId",
  template.version, template.created_at AS "createdAt", template.updated_at AS "updatedAt"`;

/** Joins the document of the latest version. */
const joinContent = `JOIN template_versions latest
  ON latest.template_id = template.id AND latest.version = template.version`;

/** The same for the rows of a list, which it cannot change the order of (`PLANS`). */
const latestOfEach = `CROSS JOIN LATERAL (
  SELECT content, content_bytes FROM template_versions
  WHERE template_id = template.id AND version = template.version LIMIT 1
) latest`;

const load = `SELECT ${callerColumns('template.id')}, ${columns}, latest.content::text AS content
  FROM users caller
  LEFT JOIN (templates template ${joinContent}) ON template.id = $2
  ${joinMember('template.workspace_id')}
  WHERE caller.id = $1`;

const LOCK = `SELECT FROM templates WHERE id = $1 AND ${isAsSeen('$2')} FOR UPDATE`;

@Injectable()
export class Templates {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  async list(actor: Actor, list: ListTemplates): Promise<SyncPage<Template | TemplateSummary>> {
    const { workspaceId, search = '', updatedSince, sort, content, limit } = list;
    const order = listOrder(sort, 'template');
    const query = ['templates', workspaceId, search, updatedSince, sort];
    const keyset = this.keysets.of(query, order.first);
    const rows = await order.read<CallerRow & Row>(
      this.database,
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT ${columns} ${content ? `, ${contentInPage('template')}` : ''}
         FROM (
           SELECT template.* ${content ? ', latest.content, latest.content_bytes' : ''}
           FROM templates template ${content ? latestOfEach : ''}
           WHERE template.workspace_id = member.workspace_id AND ${order.after}
             AND ($7 = '' OR strpos(lower(template.name), lower($7)) > 0)
           ORDER BY ${order.by} LIMIT $6
         ) template ${content ? order.soFar : ''}
       ) page ON true
       WHERE caller.id = $1 ORDER BY ${order.byInPage}`,
      [actor.userId, workspaceId, ...keyset.after(list.cursor), updatedSince, limit + 1, search],
    );
    const found = authoriseList(rows, 'viewer', 'workspace');
    const page = order.page(keyset, found, list);
    return content ? { ...page, data: page.data.map(toTemplate) } : page;
  }

  async get(actor: Actor, id: string): Promise<Template> {
    const [row] = await this.database.query<CallerRow & Row>(load, [actor.userId, id]);
    return toTemplate(authorise(row, 'viewer', 'template'));
  }

  create(actor: Actor, given: NewTemplate): Promise<Template> {
    const { workspaceId, content = EMPTY_CONTENT } = given;
    const name = given.name.trim();
    const id = uuidv7();
    return this.unitOfWork.writeAtOnce(
      insertion(actor, id, workspaceId, { name }, content),
      event('template.created', FIRST_VERSION, { id, name, workspaceId, version: FIRST_VERSION }),
      actor.once,
    );
  }

  update(
    actor: Actor,
    id: string,
    change: TemplateChange,
    state?: Precondition,
  ): Promise<Template> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await this.lock(transaction, actor, id, state);
      const { workspaceId, version, createdAt, updatedAt } = current;
      refuseChanges(change, { id: current.id, workspaceId, version, createdAt, updatedAt });
      const name = change.name?.trim() ?? current.name;
      const content = change.content ?? current.content;
      if (name === current.name && (await content.equals(current.content))) {
        return noEvent(current, 'nothing changed');
      }
      const template = await this.append(transaction, actor, current, name, content);
      return withEvents(template, event('template.updated', template.version, eventData(template)));
    });
  }

  /** Appends a version that says again what an earlier one said. */
  restore(actor: Actor, id: string, version: number): Promise<Template> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await this.lock(transaction, actor, id);
      const [earlier] = await transaction.query<{ name: string; content: string }>(
        `SELECT name, content::text AS content FROM template_versions
         WHERE template_id = $1 AND version = $2`,
        [id, version],
      );
      if (earlier === undefined) throw DomainError.notFound('version');
      transaction.requireForReplay(rightIn(current.workspaceId, 'editor'));
      const content = new JsonText(earlier.content);
      const template = await this.append(transaction, actor, current, earlier.name, content);
      return withEvents(template, event('template.updated', template.version, eventData(template)));
    }, actor.once);
  }

  delete(actor: Actor, id: string, state?: Precondition): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      const template = await this.lock(transaction, actor, id, state);
      await transaction.query('DELETE FROM templates WHERE id = $1', [id]);
      return withEvents(
        undefined,
        event('template.deleted', template.version + 1, eventData(template)),
      );
    });
  }

  /** All of a workspace that is deleted in the same transaction, each with its event. */
  async deleteAll({ query }: Transaction, workspaceId: string): Promise<void> {
    await query(
      `WITH template AS (DELETE FROM templates WHERE workspace_id = $1 RETURNING *)
       INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT uuidv7_at(clock_timestamp()), 'template.deleted', workspace_id, id, version + 1,
         json_build_object('id', id, 'name', name, 'workspaceId', workspace_id, 'version', version)
       FROM template`,
      [workspaceId],
    );
  }

  /** The copy starts a history of its own. It may go to another workspace of the caller's. */
  duplicate(actor: Actor, sourceId: string, copy: Copy): Promise<Template> {
    return this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<CallerRow & Row>(load, [actor.userId, sourceId]);
      const source = toTemplate(authorise(row, 'viewer', 'template'));
      const { name, workspaceId = source.workspaceId } = copy;
      transaction.requireForReplay(rightIn(source.workspaceId, 'viewer'));
      transaction.requireForReplay(rightIn(workspaceId, 'editor'));
      const naming =
        name === undefined ? { copyOf: originalName(source.name) } : { name: name.trim() };
      const { expressions, select, values, resultOf } = insertion(
        actor,
        uuidv7(),
        workspaceId,
        naming,
        source.content,
      );
      const template = resultOf(await transaction.query(`WITH ${expressions} ${select}`, values));
      return withEvents(
        template,
        event('template.duplicated', FIRST_VERSION, { ...eventData(template), sourceId }),
      );
    }, actor.once);
  }

  /**
   * Loads a template that is about to change. The lock is a statement of its own, sent together
   * with the next, because that one must see what was committed while the lock was waited for.
   */
  private async lock(
    { query }: Transaction,
    actor: Actor,
    id: string,
    state?: Precondition,
  ): Promise<Template> {
    const [locked, [row]] = await Promise.all([
      query(LOCK, [id, timesOf(state)]),
      query<CallerRow & Row>(load, [actor.userId, id]),
    ]);
    const template = toTemplate(authorise(row, 'editor', 'template'));
    if (locked.length === 0) throw DomainError.stale(entityTag(template));
    return template;
  }

  private async append(
    { query }: Transaction,
    actor: Actor,
    current: Template,
    name: string,
    content: JsonText,
  ): Promise<Template> {
    const [row] = await query<Omit<Row, 'content'>>(
      `WITH template AS (
         UPDATE templates SET name = $2, version = version + 1, updated_at = ${touchedInTime}
         WHERE id = $1 RETURNING *
       ), version AS (
         INSERT INTO template_versions (template_id, version, name, content, created_by, created_at)
         SELECT template.id, template.version, template.name, $3, $4, template.updated_at FROM template
       )
       SELECT ${columns} FROM template`,
      [current.id, name, content.source, actor.userId],
    );
    if (row === undefined) throw new Error('A template vanished while it was locked.');
    return { ...row, content };
  }
}

/** Without access or a workspace it inserts nothing. */
const insertion = (
  actor: Actor,
  id: string,
  workspaceId: string,
  naming: { name?: string; copyOf?: string },
  content: JsonText,
): Statement<InsertedRow, Template> => ({
  expressions: `caller AS (
      SELECT ${callerColumns('workspace.id')} ${fromCallerIn('$2')} WHERE caller.id = $1
    ), template AS (
      INSERT INTO templates (id, workspace_id, name, version, created_at, updated_at)
      SELECT $3, found, coalesce($4, ${freeCopyName('templates', 'found', '$5')}), ${FIRST_VERSION},
        at, at
      FROM caller CROSS JOIN (SELECT time_of_change() AS at) change
      WHERE "callerActive" AND "callerRole" IN (${rolesFrom('editor')})
      RETURNING *
    ), version AS (
      INSERT INTO template_versions (template_id, version, name, content, created_by, created_at)
      SELECT template.id, template.version, template.name, $6, $1, template.created_at FROM template
    )`,
  changed: 'template',
  right: rightIn(workspaceId, 'editor'),
  select: `SELECT "callerActive", "callerRole", found, ${columns} FROM caller LEFT JOIN template ON true`,
  values: [actor.userId, workspaceId, id, naming.name, naming.copyOf, content.source],
  resultOf: ([row]) => ({ ...authorise(row, 'editor', 'workspace'), content }),
});

const toTemplate = (row: Row): Template => ({ ...row, content: new JsonText(row.content) });

export const eventData = ({ id, name, workspaceId, version }: TemplateSummary) => ({
  id,
  name,
  workspaceId,
  version,
});
