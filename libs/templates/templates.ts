import { Injectable } from '@nestjs/common';
import { Database, Keysets, UnitOfWork, withEvents, type Transaction } from '#database';
import {
  createDocument,
  deleteDocument,
  deleteDocuments,
  duplicateDocument,
  eventData,
  FIRST_SEQUENCE,
  getDocument,
  JsonText,
  listDocuments,
  lockDocument,
  nextRow,
  replaceDocument,
  updateDocument,
  writeBatch,
  type Batch,
  type Document,
  type DocumentChange,
  type DuplicateOptions,
  type ListDocumentsRequest,
} from '#documents';
import { DomainError, type Precondition } from '#errors';
import { createEvent } from '#events';
import { rightIn, type Actor } from '#workspaces';
import { TEMPLATE } from './template-type.js';

export type Template = Document<{ version: number }>;

interface NewContent {
  name: string;
  content?: JsonText;
}

export const EMPTY_CONTENT = new JsonText('{"styles":{},"stripes":[]}');

/** Templates of workspaces: documents that keep all their versions. */
@Injectable()
export class Templates {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  list(actor: Actor, request: ListDocumentsRequest) {
    return listDocuments(this.database, this.keysets, TEMPLATE, actor, request);
  }

  get(actor: Actor, id: string): Promise<Template> {
    return getDocument(this.database, TEMPLATE, actor, id);
  }

  create(actor: Actor, input: NewContent & { workspaceId: string }): Promise<Template> {
    return createDocument(this.unitOfWork, TEMPLATE, actor, withContent(input));
  }

  update(
    actor: Actor,
    id: string,
    change: DocumentChange<Template>,
    precondition?: Precondition,
  ): Promise<Template> {
    return updateDocument(this.unitOfWork, TEMPLATE, actor, id, change, precondition);
  }

  /** Appends a version with the name and the document of an earlier one. */
  restore(actor: Actor, id: string, version: number): Promise<Template> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await lockDocument(transaction, TEMPLATE, actor, id);
      const [earlier] = await transaction.query<{ name: string; content: string }>(
        `SELECT name, content::text AS content FROM template_versions
         WHERE template_id = $1 AND version = $2`,
        [id, version],
      );
      if (earlier === undefined) throw DomainError.notFound('version');
      transaction.requireForReplay(rightIn(current.workspaceId, 'editor'));
      return replaceDocument(transaction, TEMPLATE, actor, {
        id,
        row: nextRow(TEMPLATE, { name: earlier.name }, current),
        content: new JsonText(earlier.content),
      });
    }, actor.idempotencyKey);
  }

  delete(actor: Actor, id: string, precondition?: Precondition): Promise<void> {
    return deleteDocument(this.unitOfWork, TEMPLATE, actor, id, precondition);
  }

  deleteAll(transaction: Transaction, workspaceId: string): Promise<void> {
    return deleteDocuments(transaction, TEMPLATE, workspaceId);
  }

  /** The history of the copy begins with version 1. */
  duplicate(actor: Actor, sourceId: string, options: DuplicateOptions): Promise<Template> {
    return this.unitOfWork.write(async (transaction) => {
      const copy = { ...options, eventCount: FIRST_SEQUENCE };
      const template = await duplicateDocument(transaction, TEMPLATE, actor, sourceId, copy);
      const data = { ...eventData(TEMPLATE, template), sourceId };
      return withEvents(template, createEvent('template.duplicated', FIRST_SEQUENCE, data));
    }, actor.idempotencyKey);
  }

  writeBatch(actor: Actor, { workspaceId, operations }: Batch<NewContent, Partial<NewContent>>) {
    return writeBatch(this.unitOfWork, TEMPLATE, actor, {
      workspaceId,
      operations: operations.map((operation) =>
        operation.action === 'create' ? withContent(operation) : operation,
      ),
    });
  }
}

const withContent = <Input extends NewContent>(input: Input) => ({
  ...input,
  content: input.content ?? EMPTY_CONTENT,
});
