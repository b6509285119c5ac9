import { Injectable, type Type } from '@nestjs/common';
import { Documents, type DocumentType } from '#documents';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { IfMatch } from '../operations/if-match.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathId, PathNumber } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { LabelVersionDto, ListVersionsQuery } from './document.dto.js';
import type { documentResponses } from './document.responses.js';
import { ExpandQuery, RestoreDto } from './references.dto.js';
import { versionOperations } from './version-operations.js';

/** Creates the base controller for the versions of templates or modules. */
export function versionsController(
  type: DocumentType,
  responses: ReturnType<typeof documentResponses>,
  restoreDescription: string,
): Type<object> {
  const { kind } = type;
  const operation = versionOperations(kind, responses, restoreDescription);

  // TypeScript emits the types of constructor parameters only for decorated classes. Nest needs these types to inject
  // the dependencies of subclasses.
  @Injectable()
  class VersionsController {
    constructor(private readonly documents: Documents) {}

    @operation.list
    list(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @QueryDto() query: ListVersionsQuery,
    ) {
      return this.documents.listVersions(type, actor, id, query);
    }

    @operation.get
    get(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathNumber('version') version: number,
      @QueryDto() { expand }: ExpandQuery,
    ) {
      return this.documents.getVersion(type, actor, id, version, expand);
    }

    @operation.label
    label(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathNumber('version') version: number,
      @BodyDto() body: LabelVersionDto,
    ) {
      const labels = requireAtLeastOne(body, ['label', 'note']);
      return this.documents.labelVersion(type, actor, id, version, labels);
    }

    @operation.restore
    restore(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathNumber('version') version: number,
      @BodyDto() { modules }: RestoreDto,
      @IfMatch() precondition: Precondition,
    ) {
      return this.documents.restoreVersion(type, actor, id, version, { modules, precondition });
    }
  }
  return VersionsController;
}
