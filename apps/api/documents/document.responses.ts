import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { DocumentKind, ExpandWarning } from '#documents';
import type { JsonText } from '#json';
import { Content } from '../validation/document-field.js';
import { enumProperty } from '../validation/enums.js';
import { EXTERNAL_ID_SCHEMA } from '../validation/fields.js';
import { discriminatedByAction, ID_SCHEMA, PageOf, SyncPageOf } from '../validation/schemas.js';
import { TAGS_SCHEMA } from '../tags/tag-fields.js';
import { setSchemaName, withTexts } from './text-fields.js';

/** The fields that come first in responses and notifications about a template or module. */
export class DocumentReference {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID_SCHEMA)
  workspaceId!: string;
}

/** A reference to a template or module that has the id of the caller's own, too. */
export class DocumentIdentity extends DocumentReference {
  @ApiProperty({
    ...EXTERNAL_ID_SCHEMA,
    nullable: true,
    description: 'The id of your own; null if you have given none.',
  })
  externalId!: string | null;
}

export const VersionNumber = () =>
  ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the latest version.' });

export const CreatedAt = () => ApiProperty({ description: 'The time of creation.' });

export const UpdatedAt = () =>
  ApiProperty({
    description: 'The time of the last change. Two changes of a resource never have the same time.',
  });

const authorProperty = (description: string) =>
  ApiProperty({
    ...ID_SCHEMA,
    nullable: true,
    description: `${description} For an API key, this is the id of the user that the key acts as. Null if Galley did not record users at that time.`,
  });

const CreatedBy = () => authorProperty('The id of the user who created the document.');

const UpdatedBy = () => authorProperty('The id of the user who made the last change.');

export const Tags = () =>
  ApiProperty({ ...TAGS_SCHEMA, description: 'The tags of the document, sorted.' });

/** The fields that versions of templates and modules share. */
class VersionReference {
  @ApiProperty({ description: 'The short name of the version; empty by default.' })
  label!: string;

  @ApiProperty({ description: 'The note about the version; empty by default.' })
  note!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'The number of the version, starting at 1.',
  })
  version!: number;

  @ApiProperty()
  name!: string;
}

const VERSION_AUTHOR_DESCRIPTION =
  'The id of the user who created the version. For an API key, this is the id of the user that the key acts as.';

class ExpandWarningResponse implements ExpandWarning {
  @ApiProperty({
    description: 'A JSON Pointer (RFC 6901) to the empty node that replaces the reference.',
  })
  path!: string;

  @ApiProperty(ID_SCHEMA)
  moduleId!: string;

  @ApiProperty(enumProperty('ExpandProblem'))
  problem!: ExpandWarning['problem'];
}

/** Adds the required field `content` to the summary of a template, module or version. */
export function withRequiredContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
): Type<Summary & { content: JsonText }> {
  return withContent(SummaryResponse, { description: 'The document, exactly as it was sent.' });
}

/** Adds `content` as an optional field to a summary, because a list may omit the documents. */
function withOptionalContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
  condition: string,
): Type<Summary & { content?: JsonText }> {
  return withContent(SummaryResponse, {
    required: false,
    description: `The document; ${condition}.`,
  });
}

function withContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
  options: ApiPropertyOptions,
): Type<Summary & { content: JsonText }> {
  class WithDocument extends (SummaryResponse as Type<object>) {
    @ApiProperty({ type: Content, ...options })
    content!: JsonText;

    @ApiProperty({
      required: false,
      type: [ExpandWarningResponse],
      description: 'Only with `expand=modules`: the references that could not be resolved.',
    })
    warnings?: ExpandWarning[];
  }
  return WithDocument as Type<Summary & WithDocument>;
}

/** The result of a creation or an update in a batch. */
class WrittenResponse {
  @ApiProperty({ enum: ['create', 'update'], description: 'The kind of change.' })
  action!: 'create' | 'update';
}

const WrittenSummary = (type: Type) =>
  ApiProperty({ type, description: 'The resource after the change, without its document.' });

class DeletedResponse {
  @ApiProperty({ enum: ['delete'], description: 'The kind of change.' })
  action!: 'delete';

  @ApiProperty(ID_SCHEMA)
  id!: string;
}

function batchResultOf<Written, Deleted>(
  Written: Type<Written>,
  Deleted: Type<Deleted>,
): Type<{ data: (Written | Deleted)[] }> {
  @ApiExtraModels(Written, Deleted)
  class BatchResult {
    @ApiProperty({
      type: 'array',
      items: discriminatedByAction({ create: Written, update: Written, delete: Deleted }),
      description: 'The result of each operation, in the order of the operations of the request.',
    })
    data!: (Written | Deleted)[];
  }
  return BatchResult;
}

/**
 * Creates the response classes for templates or modules. Each class has its own schema name in the OpenAPI document.
 */
export function documentResponses(kind: DocumentKind) {
  const Kind = kind === 'template' ? 'Template' : 'Module';

  class Summary extends withTexts(DocumentIdentity, kind) {
    @Tags()
    tags!: string[];

    @VersionNumber()
    version!: number;

    @CreatedAt()
    createdAt!: Date;

    @CreatedBy()
    createdBy!: string | null;

    @UpdatedAt()
    updatedAt!: Date;

    @UpdatedBy()
    updatedBy!: string | null;
  }
  setSchemaName(`${Kind}SummaryResponse`, Summary);

  class VersionSummary extends withTexts(VersionReference, kind) {
    @CreatedAt()
    createdAt!: Date;

    @ApiProperty(versionAuthor(kind))
    createdBy!: string | null;
  }

  class Document extends withRequiredContent(Summary) {}
  class Listed extends withOptionalContent(Summary, 'omitted with `content=false`') {}
  class Page extends SyncPageOf(setSchemaName(`Listed${Kind}Response`, Listed)) {}
  class Version extends withRequiredContent(VersionSummary) {}
  class ListedVersion extends withOptionalContent(VersionSummary, 'only with `content=true`') {}
  class VersionPage extends PageOf(setSchemaName(`Listed${Kind}VersionResponse`, ListedVersion)) {}
  class Written extends WrittenResponse {}
  WrittenSummary(Summary)(Written.prototype, kind);
  class Deleted extends DeletedResponse {}
  class BatchResult extends batchResultOf(
    setSchemaName(`Written${Kind}Response`, Written),
    setSchemaName(`Deleted${Kind}Response`, Deleted),
  ) {}
  return {
    Document: setSchemaName(`${Kind}Response`, Document),
    Page: setSchemaName(`${Kind}PageResponse`, Page),
    BatchResult: setSchemaName(`${Kind}BatchResultResponse`, BatchResult),
    Version: setSchemaName(`${Kind}VersionResponse`, Version),
    VersionSummary: setSchemaName(`${Kind}VersionSummaryResponse`, VersionSummary),
    VersionPage: setSchemaName(`${Kind}VersionPageResponse`, VersionPage),
  };
}

const versionAuthor = (kind: DocumentKind): ApiPropertyOptions =>
  kind === 'template'
    ? { ...ID_SCHEMA, description: VERSION_AUTHOR_DESCRIPTION }
    : {
        ...ID_SCHEMA,
        nullable: true,
        description: `${VERSION_AUTHOR_DESCRIPTION} Null if Galley did not record users at that time.`,
      };
