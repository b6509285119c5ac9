import { Injectable, type Type } from '@nestjs/common';
import { Documents, type DocumentBatch, type DocumentType, type NewDocument } from '#documents';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { Comparing } from '#rendering';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { HasIfMatch, IfMatch } from '../operations/if-match.js';
import { MarkCreated, WantsAlternative } from '../operations/response-headers.js';
import { BatchBody } from '../validation/batch.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathExternalId, PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { compareOperation } from './compare-operation.js';
import { compareQueryOf, type CompareQuery } from './compare.dto.js';
import { documentDtos, ExternalIdQuery, ReadByExternalIdQuery } from './document.dto.js';
import { documentOperations, type OperationTexts } from './document-operations.js';
import type { documentResponses } from './document.responses.js';
import { DuplicateDto } from './duplicate.dto.js';
import { listQueryOf, type ListQuery } from './list-documents.dto.js';
import { ExpandQuery, ForceQuery } from './references.dto.js';

/** Creates the base controller for templates or modules. The controller of each kind extends the base controller. */
export function documentsController(
  type: DocumentType,
  responses: ReturnType<typeof documentResponses>,
  texts: OperationTexts,
): Type<object> {
  const { kind } = type;
  const operation = documentOperations(kind, responses, texts);
  const dtos = documentDtos(type);
  // Only modules can be in use, so only the deletion of modules can be forced.
  const Force = kind === 'module' ? QueryDto(ForceQuery) : () => undefined;

  // TypeScript emits the types of constructor parameters only for decorated classes. Nest needs these types to inject
  // the dependencies of subclasses.
  @Injectable()
  class DocumentsController {
    constructor(
      private readonly documents: Documents,
      private readonly comparing: Comparing,
    ) {}

    @operation.list
    list(@CurrentActor() actor: Actor, @QueryDto(listQueryOf(kind)) query: ListQuery) {
      const { published, environment = '', ...request } = query;
      return this.documents.list(type, actor, {
        ...request,
        ...(published !== undefined && { published: { environment, isPublished: published } }),
      });
    }

    @operation.get
    get(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @QueryDto() { expand }: ExpandQuery,
    ) {
      return this.documents.get(type, actor, id, expand);
    }

    @operation.getByExternalId
    getByExternalId(
      @CurrentActor() actor: Actor,
      @PathExternalId(kind) externalId: string,
      @QueryDto() { workspaceId, expand }: ReadByExternalIdQuery,
    ) {
      return this.documents.getByExternalId(type, actor, { workspaceId, externalId }, expand);
    }

    @operation.upsert
    async upsert(
      @CurrentActor() actor: Actor,
      @PathExternalId(kind) externalId: string,
      @BodyDto(dtos.Upsert) body: NewDocument,
      @QueryDto() { workspaceId }: ExternalIdQuery,
      @IfMatch() precondition: Precondition,
      @HasIfMatch() mustExist: boolean,
      @MarkCreated() markCreated: () => void,
    ) {
      const id = { workspaceId, externalId };
      const options = { precondition, mustExist };
      const { document, isCreated } = await this.documents.upsert(type, actor, id, body, options);
      if (isCreated) markCreated();
      return document;
    }

    @operation.create
    create(
      @CurrentActor() actor: Actor,
      @BodyDto(dtos.Create) body: NewDocument & { workspaceId: string },
    ) {
      return this.documents.create(type, actor, body);
    }

    @operation.batch
    batch(
      @CurrentActor() actor: Actor,
      @BatchBody(kind, dtos.Batch, dtos.operations) body: DocumentBatch,
      @Force query?: ForceQuery,
    ) {
      const { workspaceId, operations } = body;
      const force = query?.force ?? false;
      return this.documents.writeBatch(type, actor, { workspaceId, operations, force });
    }

    @operation.update
    update(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @BodyDto(dtos.Update) body: Partial<NewDocument>,
      @IfMatch() precondition: Precondition,
    ) {
      const named = ['name', 'content', 'tags', 'externalId'];
      const fields = [...named, ...type.texts] as (keyof NewDocument)[];
      const change = requireAtLeastOne(body, fields);
      return this.documents.update(type, actor, id, change, precondition);
    }

    @operation.delete
    delete(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @IfMatch() precondition: Precondition,
      @Force query?: ForceQuery,
    ) {
      return this.documents.delete(type, actor, id, precondition, query?.force);
    }

    @operation.duplicate
    duplicate(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @BodyDto() body: DuplicateDto,
    ) {
      return this.documents.duplicate(type, actor, id, body);
    }

    @compareOperation(kind)
    compare(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @QueryDto(compareQueryOf(kind)) query: CompareQuery,
      @WantsAlternative() wantsPatch: boolean,
      @CurrentSlot() slot: Slot,
    ) {
      return wantsPatch
        ? this.documents.patchBetweenVersions(type, actor, id, query)
        : this.comparing.compareVersions(type, actor, id, query, slot);
    }
  }
  return DocumentsController;
}
