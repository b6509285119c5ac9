import { ApiProperty } from '@nestjs/swagger';
import type { TagMatch } from '#documents';
import { IsOneOf, IsName, Optional, ReadOnly, ResourceId } from '../validation/fields.js';
import { IsQueryBoolean, IsSearch, PageQuery } from '../validation/list-query.js';
import { ID_SCHEMA, TIME_SCHEMA } from '../validation/schemas.js';
import { AreAssetTags, AreQueryTags } from '../tags/tag-fields.js';

export class AssetsQuery {
  @ResourceId('workspace')
  workspaceId!: string;
}

export class ListAssetsQuery extends PageQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @Optional()
  @IsSearch()
  search?: string;

  @AreQueryTags()
  tags?: string[];

  @Optional('Whether a picture must have all of the `tags`, or at least one of them.', 'all')
  @IsOneOf('TagMatch')
  tagsMatch?: TagMatch;

  @IsQueryBoolean(false, 'If `true`, only deleted pictures, which can be restored.')
  deleted: boolean = false;
}

export class DeleteAssetQuery {
  @IsQueryBoolean(false, 'If `true`, deletes the picture although documents refer to it.')
  force: boolean = false;
}

/** The fields of an upload beside the file. */
export class UploadFieldsDto {
  @Optional('The default is the name of the file.')
  @IsName()
  name?: string;

  @AreAssetTags(
    ' In a form, send each tag as a part, or all tags in one part with commas between them.',
  )
  tags?: string[];
}

/** The parts of the form. Only the OpenAPI document uses this class, because the file is no field of a DTO. */
export class UploadAssetDto extends UploadFieldsDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'The picture: PNG, JPEG, GIF, WebP or SVG. Galley looks at the bytes, and ignores the media type of the part.',
  })
  file!: string;
}

export class ReplaceAssetDto {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The picture, as for an upload.' })
  file!: string;
}

export class UpdateAssetDto {
  @Optional()
  @IsName()
  name?: string;

  @AreAssetTags()
  tags?: string[];

  @ReadOnly(ID_SCHEMA)
  id?: unknown;

  @ReadOnly(ID_SCHEMA)
  workspaceId?: unknown;

  @ReadOnly({ type: String })
  url?: unknown;

  @ReadOnly({ type: String })
  type?: unknown;

  @ReadOnly({ type: 'integer' })
  width?: unknown;

  @ReadOnly({ type: 'integer' })
  height?: unknown;

  @ReadOnly({ type: 'integer' })
  bytes?: unknown;

  @ReadOnly(TIME_SCHEMA)
  createdAt?: unknown;

  @ReadOnly(ID_SCHEMA)
  createdBy?: unknown;

  @ReadOnly(TIME_SCHEMA)
  updatedAt?: unknown;

  @ReadOnly(ID_SCHEMA)
  updatedBy?: unknown;

  @ReadOnly({ ...TIME_SCHEMA, nullable: true })
  deletedAt?: unknown;

  @ReadOnly({ ...TIME_SCHEMA, nullable: true })
  expiresAt?: unknown;
}
