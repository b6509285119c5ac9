import { DocumentStore, VersionPurge } from '#documents';
import { Database, UnitOfWork } from '#database';
import { UsageUpdateJob } from '#documents';
import { PublishingJob } from '#publishing';
import type { ApiResponse } from '../api/api-response.js';
import type { Client } from '../api/client.js';
import { refer, text } from '../api/references.js';
import { eventually } from '../eventually.js';
import type { Galley } from '../galley/galley.js';
import type { Command, DrawnDocument, DrawnOperation, DrawnTarget } from './commands.js';

type Kind = 'template' | 'module';

/** What a caller knows of a document from the responses. Other callers may have changed the document since. */
export interface KnownDocument {
  id: string;
  kind: Kind;
  workspaceId: string;
  version: number;
  isDeleted: boolean;
}

interface Restore {
  id: string;
  version: number;
  /** The version that the restore made. */
  restored: number;
  /** Whether the restored document uses the modules of the time of `version`. */
  isPinned: boolean;
}

interface DocumentBody {
  id: string;
  workspaceId: string;
  version: number;
  content?: object;
}
interface BatchBody {
  data: { action: string; id?: string; template?: DocumentBody; module?: DocumentBody }[];
}

// So soon that the command `work` and other changes meet it.
const SCHEDULED_AFTER_MS = 30;

/** The documents of one run, and what callers do to them. */
export class World {
  readonly documents: KnownDocument[] = [];
  /** The JSON of each version that a response or a check has shown, by `keyOf`. A version never changes. */
  readonly seenVersions = new Map<string, string>();
  /** The restores of versions since the last check. */
  readonly restores: Restore[] = [];
  private changes = 0;
  private readonly updates: UsageUpdateJob;
  private readonly publishing: PublishingJob;
  private readonly purges: VersionPurge;

  constructor(
    readonly galley: Galley,
    readonly workspaceIds: readonly string[],
  ) {
    const get = <T>(type: abstract new (...parameters: never[]) => T): T =>
      galley.api.get(type as never, { strict: false });
    this.updates = new UsageUpdateJob(get(DocumentStore));
    this.publishing = new PublishingJob(get(Database), get(UnitOfWork));
    this.purges = new VersionPurge(get(Database));
  }

  async create(client: Client, kind: Kind): Promise<void> {
    const workspaceId = this.workspaceIds[this.documents.length % this.workspaceIds.length] ?? '';
    const body = { name: 'A', workspaceId, content: this.nextContent() };
    await this.remember(kind, client.post(`/api/${kind}s`, body));
  }

  /** @returns the statuses of the responses. */
  async run(client: Client, command: Command): Promise<number[]> {
    switch (command.name) {
      case 'edit': {
        const target = this.pick(command.target);
        const content = this.nextContent(command.document, target);
        return this.remember(target.kind, client.put(pathOf(target), { content }));
      }
      case 'describe': {
        const target = this.pick(command.target);
        const name = `Name ${++this.changes}`;
        const body = command.isTag ? { tags: [name] } : { name };
        return this.remember(target.kind, client.put(pathOf(target), body));
      }
      case 'batch':
        return this.runBatch(client, command.kind, command.operations);
      case 'restore': {
        const target = this.pick(command.target);
        const version = 1 + (command.version % target.version);
        const path = `${pathOf(target)}/versions/${version}/restore`;
        const { modules } = command;
        const response = await client.post<DocumentBody>(path, { modules });
        if (response.status === 200) {
          const isPinned = modules === 'as-then';
          const restored = response.body.version;
          this.restores.push({ id: target.id, version, restored, isPinned });
        }
        return this.remember(target.kind, Promise.resolve(response));
      }
      case 'duplicate': {
        const target = this.pick(command.target);
        return this.remember(target.kind, client.post(`${pathOf(target)}/duplicate`));
      }
      case 'delete': {
        const target = this.pick(command.target);
        const force = target.kind === 'module' && command.force ? '?force=true' : '';
        const { status } = await client.delete(`${pathOf(target)}${force}`);
        if (status === 204) target.isDeleted = true;
        return [status];
      }
      case 'undelete': {
        const target = this.pickDeleted(command.number);
        const { status } = await client.post(`/api/trash/${target.id}/restore`);
        if (status === 200) target.isDeleted = false;
        return [status];
      }
      case 'purge': {
        const { status } = await client.delete(`/api/trash/${this.pickDeleted(command.number).id}`);
        return [status];
      }
      case 'publish': {
        const { number, version, environment, isLater } = command;
        const target = this.pick({ kind: 'template', number });
        const at = new Date(Date.now() + SCHEDULED_AFTER_MS);
        const { status } = await client.post(`${pathOf(target)}/publish`, {
          environment,
          version: version === 0 ? target.version + 1 : 1 + (version % target.version),
          ...(isLater && { at }),
        });
        return [status];
      }
      case 'unpublish': {
        const { number, environment } = command;
        const target = this.pick({ kind: 'template', number });
        return [(await client.post(`${pathOf(target)}/unpublish`, { environment })).status];
      }
      case 'recreateEnvironment': {
        const workspaceId = this.workspaceIds[command.isFirst ? 0 : 1] ?? '';
        const path = `/api/workspaces/${workspaceId}/environments`;
        const deleted = await client.delete(`${path}/staging?force=true`);
        const created = await client.post(path, { name: 'staging' });
        return [deleted.status, created.status];
      }
      case 'updateUsages': {
        const target = this.pick({ kind: 'module', number: command.number });
        const templateIds = command.templates?.map(
          (number) => this.pick({ kind: 'template', number }).id,
        );
        const response = await client.post(`${pathOf(target)}/update-usages`, {
          toVersion: 1 + (command.version % target.version),
          ...(templateIds === undefined ? { all: true } : { templateIds }),
        });
        return [response.status];
      }
      case 'work':
        await Promise.all([this.updates.step(), this.publishing.step(), this.purges.step()]);
        return [];
    }
  }

  /** Finishes what the worker still has to do. */
  async finishWork(): Promise<void> {
    const { database } = this.galley;
    await database.query('UPDATE scheduled_publications SET at = now() WHERE at > now()');
    await database.query('UPDATE publication_turns SET next_at = now()');
    await eventually('the publications', async () => (await this.publishing.step()) === null);
    await eventually('the updates of usages', async () => {
      await database.query('UPDATE module_usage_updates SET next_step_at = now()');
      return (await this.updates.step()) === null;
    });
    while (await this.purges.step());
  }

  private async runBatch(
    client: Client,
    kind: Kind,
    operations: readonly DrawnOperation[],
  ): Promise<number[]> {
    const [first] = operations;
    const number = first && 'number' in first ? first.number : 0;
    const { workspaceId } = this.pick({ kind, number });
    const named = new Set<string>();
    const body = operations.flatMap((operation) => {
      const name = `Name ${++this.changes}`;
      if (operation.action === 'create') {
        return { action: 'create', name, content: this.nextContent(operation.document) };
      }
      const target = this.pick({ kind, number: operation.number });
      // A batch changes documents of one workspace, each of them once.
      if (target.workspaceId !== workspaceId || named.has(target.id)) return [];
      named.add(target.id);
      const { id } = target;
      switch (operation.action) {
        case 'update': {
          const content = this.nextContent(operation.document, target);
          return { action: 'update', id, content };
        }
        case 'rename':
          return { action: 'update', id, name };
        case 'delete':
          return { action: 'delete', id };
      }
    });
    const request = { workspaceId, operations: body };
    const response = await client.post<BatchBody>(`/api/${kind}s/batch`, request);
    if (response.status !== 200) return [response.status];
    for (const { id, template, module } of response.body.data) {
      const written = template ?? module;
      const deleted = this.documents.find((each) => each.id === id);
      if (written !== undefined) this.see(kind, written);
      else if (deleted !== undefined) deleted.isDeleted = true;
    }
    return [response.status];
  }

  private async remember(
    kind: Kind,
    request: Promise<ApiResponse<DocumentBody>>,
  ): Promise<number[]> {
    const { status, body } = await request;
    if (status < 300) this.see(kind, body);
    return [status];
  }

  private see(kind: Kind, { id, workspaceId, version, content }: DocumentBody): void {
    const known = this.documents.find((each) => each.id === id);
    if (known === undefined) {
      this.documents.push({ id, kind, workspaceId, version, isDeleted: false });
    } else known.version = Math.max(known.version, version);
    if (content === undefined) return;
    const key = keyOf({ id, version });
    const json = JSON.stringify(content);
    if ((this.seenVersions.get(key) ?? json) !== json) {
      throw new Error(`Two responses have different documents of the version ${key}.`);
    }
    this.seenVersions.set(key, json);
  }

  /** A document that differs from all others. */
  private nextContent(drawn?: DrawnDocument, target?: KnownDocument): object {
    const modules = this.documents.filter(({ kind }) => kind === 'module');
    const ownIndex = modules.findIndex((module) => module === target);
    const mayUse = ownIndex === -1 || drawn?.mayCloseCycle ? modules : modules.slice(0, ownIndex);
    const live = mayUse.filter((module) => !module.isDeleted && module !== target);
    const references = (drawn?.references ?? []).flatMap(({ module, version, isAsOfNow }) => {
      const used = live[module % live.length];
      if (used === undefined) return [];
      if (version === 0) return refer(used.id);
      const asOf = isAsOfNow && { asOf: new Date() };
      return { ...refer(used.id, 1 + (version % used.version)), ...asOf };
    });
    const type = drawn?.isStripe && target?.kind === 'module' ? 'stripe' : 'box';
    return { type, blocks: [text(String(++this.changes)), ...references] };
  }

  private pick({ kind, number }: DrawnTarget): KnownDocument {
    const ofKind = this.documents.filter((document) => document.kind === kind);
    const live = ofKind.filter(({ isDeleted }) => !isDeleted);
    return choose(live.length > 0 ? live : ofKind, number);
  }

  private pickDeleted(number: number): KnownDocument {
    const deleted = this.documents.filter(({ isDeleted }) => isDeleted);
    return choose(deleted.length > 0 ? deleted : this.documents, number);
  }
}

export const keyOf = ({ id, version }: { id: string; version: number }): string =>
  `${id} version ${version}`;

export const pathOf = ({ kind, id }: { kind: Kind; id: string }): string => `/api/${kind}s/${id}`;

function choose<T>(from: readonly T[], number: number): T {
  const chosen = from[number % from.length];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}
