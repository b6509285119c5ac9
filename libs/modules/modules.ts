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

/** A reusable piece of a document: a block, a container or a stripe. */
export interface Module {
  id: string;
  name: string;
  workspaceId: string;
  content: JsonText;
  category: string;
  description: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewModule {
  name: string;
  workspaceId: string;
  content: JsonText;
  category?: string;
  description?: string;
}

/** A module without its document. */
export type ModuleSummary = Omit<Module, 'content'>;

type Writable = Pick<Module, 'name' | 'content' | 'category' | 'description'>;

/** Any of the fields, at least one. The read-only ones may be repeated as they were read. */
export type ModuleChange = Partial<Writable> & {
  [Field in 'id' | 'workspaceId' | 'createdAt' | 'updatedAt']?: unknown;
};

export interface ListModules extends SortedRequest {
  workspaceId: string;
  category?: string;
  /** Only those whose name contains this, in upper or lower case. */
  search?: string;
  /** false leaves the documents out. */
  content: boolean;
}

/** A module as PostgreSQL gives it. */
type Row = Omit<Module, 'content'> & { content: string };

type InsertedRow = CallerRow & Omit<Row, 'content'>;

// How many events a module has had. The copy of one comes without any.
export const FIRST_EVENT = 1;
const NO_EVENT_YET = 0;

export const columns = `module.id, module.name, module.workspace_id AS "workspaceId",
  module.category, module.description,
  module.created_at AS "createdAt", module.updated_at AS "updatedAt"`;

const load = `SELECT ${callerColumns('module.id')}, ${columns}, module.content::text AS content
  FROM users caller
  LEFT JOIN modules module ON module.id = $2
  ${joinMember('module.workspace_id')}
  WHERE caller.id = $1`;

const LOCK = `SELECT FROM modules WHERE id = $1 AND ${isAsSeen('$2')} FOR UPDATE`;

@Injectable()
export class Modules {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  async list(actor: Actor, list: ListModules): Promise<SyncPage<Module | ModuleSummary>> {
    const { workspaceId, category, search = '', updatedSince, sort, content, limit } = list;
    const order = listOrder(sort, 'module');
    const query = ['modules', workspaceId, category, search, updatedSince, sort];
    const keyset = this.keysets.of(query, order.first);
    const rows = await order.read<CallerRow & Row>(
      this.database,
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT ${columns} ${content ? `, ${contentInPage('module')}` : ''}
         FROM (
           SELECT * FROM modules module
           WHERE module.workspace_id = member.workspace_id AND ${order.after}
             AND ($7::text IS NULL OR module.category = $7)
             AND ($8 = '' OR strpos(lower(module.name), lower($8)) > 0)
           ORDER BY ${order.by} LIMIT $6
         ) module ${content ? order.soFar : ''}
       ) page ON true
       WHERE caller.id = $1 ORDER BY ${order.byInPage}`,
      [
        actor.userId,
        workspaceId,
        ...keyset.after(list.cursor),
        updatedSince,
        limit + 1,
        category,
        search,
      ],
    );
    const found = authoriseList(rows, 'viewer', 'workspace');
    const page = order.page(keyset, found, list);
    return content ? { ...page, data: page.data.map(toModule) } : page;
  }

  async get(actor: Actor, id: string): Promise<Module> {
    const [row] = await this.database.query<CallerRow & Row>(load, [actor.userId, id]);
    return toModule(authorise(row, 'viewer', 'module'));
  }

  create(actor: Actor, given: NewModule): Promise<Module> {
    const { workspaceId, content, category = '', description = '' } = given;
    const name = given.name.trim();
    const id = uuidv7();
    return this.unitOfWork.writeAtOnce(
      insertion(actor, id, workspaceId, { name }, { content, category, description }, FIRST_EVENT),
      event('module.created', FIRST_EVENT, { id, name, workspaceId, category }),
      actor.once,
    );
  }

  update(actor: Actor, id: string, change: ModuleChange, state?: Precondition): Promise<Module> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await this.lock(transaction, actor, id, state);
      const { workspaceId, createdAt, updatedAt } = current;
      refuseChanges(change, { id: current.id, workspaceId, createdAt, updatedAt });
      const next = {
        name: change.name?.trim() ?? current.name,
        content: change.content ?? current.content,
        category: change.category ?? current.category,
        description: change.description ?? current.description,
      };
      if (
        next.name === current.name &&
        next.category === current.category &&
        next.description === current.description &&
        (await next.content.equals(current.content))
      ) {
        return noEvent(current, 'nothing changed');
      }
      const [row] = await transaction.query<{ updatedAt: Date; events: number }>(
        `UPDATE modules SET name = $2, content = $3, category = $4, description = $5,
           events = events + 1, updated_at = ${touchedInTime}
         WHERE id = $1 RETURNING updated_at AS "updatedAt", events`,
        [id, next.name, next.content.source, next.category, next.description],
      );
      if (row === undefined) throw new Error('A module vanished while it was locked.');
      const module = { ...current, ...next, updatedAt: row.updatedAt };
      return withEvents(module, event('module.updated', row.events, eventData(module)));
    });
  }

  delete(actor: Actor, id: string, state?: Precondition): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      const module = await this.lock(transaction, actor, id, state);
      const [row] = await transaction.query<{ events: number }>(
        'DELETE FROM modules WHERE id = $1 RETURNING events + 1 AS events',
        [id],
      );
      if (row === undefined) throw new Error('A module vanished while it was locked.');
      return withEvents(undefined, event('module.deleted', row.events, eventData(module)));
    });
  }

  /** All of a workspace that is deleted in the same transaction, each with its event. */
  async deleteAll({ query }: Transaction, workspaceId: string): Promise<void> {
    await query(
      `WITH module AS (DELETE FROM modules WHERE workspace_id = $1 RETURNING *)
       INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT uuidv7_at(clock_timestamp()), 'module.deleted', workspace_id, id, events + 1,
         json_build_object('id', id, 'name', name, 'workspaceId', workspace_id, 'category', category)
       FROM module`,
      [workspaceId],
    );
  }

  /** The copy may go to another workspace of the caller's. */
  duplicate(
    actor: Actor,
    sourceId: string,
    copy: { name?: string; workspaceId?: string },
  ): Promise<Module> {
    return this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<CallerRow & Row>(load, [actor.userId, sourceId]);
      const source = toModule(authorise(row, 'viewer', 'module'));
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
        source,
        NO_EVENT_YET,
      );
      const module = resultOf(await transaction.query(`WITH ${expressions} ${select}`, values));
      return noEvent(module, 'the specification has no event for the duplication of a module');
    }, actor.once);
  }

  /**
   * Loads a module that is about to change. The lock is a statement of its own, sent together with
   * the next, because that one must see what was committed while the lock was waited for.
   */
  private async lock(
    { query }: Transaction,
    actor: Actor,
    id: string,
    state?: Precondition,
  ): Promise<Module> {
    const [locked, [row]] = await Promise.all([
      query(LOCK, [id, timesOf(state)]),
      query<CallerRow & Row>(load, [actor.userId, id]),
    ]);
    const module = toModule(authorise(row, 'editor', 'module'));
    if (locked.length === 0) throw DomainError.stale(entityTag(module));
    return module;
  }
}

/** Without access or a workspace it inserts nothing. */
const insertion = (
  actor: Actor,
  id: string,
  workspaceId: string,
  naming: { name?: string; copyOf?: string },
  { content, category, description }: Omit<Writable, 'name'>,
  events: number,
): Statement<InsertedRow, Module> => ({
  expressions: `caller AS (
      SELECT ${callerColumns('workspace.id')} ${fromCallerIn('$2')} WHERE caller.id = $1
    ), module AS (
      INSERT INTO modules (id, workspace_id, name, content, category, description, events,
        created_at, updated_at)
      SELECT $3, found, coalesce($4, ${freeCopyName('modules', 'found', '$5')}), $6, $7, $8, $9,
        at, at
      FROM caller CROSS JOIN (SELECT time_of_change() AS at) change
      WHERE "callerActive" AND "callerRole" IN (${rolesFrom('editor')})
      RETURNING *
    )`,
  changed: 'module',
  right: rightIn(workspaceId, 'editor'),
  select: `SELECT "callerActive", "callerRole", found, ${columns} FROM caller LEFT JOIN module ON true`,
  values: [
    ...[actor.userId, workspaceId, id, naming.name, naming.copyOf],
    ...[content.source, category, description, events],
  ],
  resultOf: ([row]) => ({ ...authorise(row, 'editor', 'workspace'), content }),
});

const toModule = (row: Row): Module => ({ ...row, content: new JsonText(row.content) });

export const eventData = ({ id, name, workspaceId, category }: ModuleSummary) => ({
  id,
  name,
  workspaceId,
  category,
});
