import { ApiProperty } from '@nestjs/swagger';
import type { Asset, AssetUsage, PictureType, StorageUsage } from '#assets';
import {
  CreatedAt,
  DocumentReference,
  UpdatedAt,
  VersionNumber,
} from '../documents/document.responses.js';
import { TAGS_SCHEMA } from '../tags/tag-fields.js';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';

const pixels = (description: string) => ApiProperty({ type: 'integer', minimum: 1, description });

const BYTES = { type: 'integer', format: 'int64', minimum: 0 } as const;

export class AssetResponse extends DocumentReference implements Asset {
  @ApiProperty({ ...TAGS_SCHEMA, description: 'The tags of the picture, sorted.' })
  tags!: string[];

  @ApiProperty({
    format: 'uri',
    description:
      'The public URL of the picture, for emails. It never changes and shows the same picture for ever: if you replace the picture, the new one has another URL. Append `?width=160`, `320`, `640` or `1200` for a smaller copy.',
  })
  url!: string;

  @ApiProperty({ ...enumProperty('PictureType') })
  type!: PictureType;

  @pixels('The width in pixels.')
  width!: number;

  @pixels('The height in pixels.')
  height!: number;

  @ApiProperty({ ...BYTES, description: 'The size of the file in bytes.' })
  bytes!: number;

  @CreatedAt()
  createdAt!: Date;

  @ApiProperty({ ...ID_SCHEMA, description: 'The id of the user who uploaded the picture.' })
  createdBy!: string;

  @UpdatedAt()
  updatedAt!: Date;

  @ApiProperty({ ...ID_SCHEMA, description: 'The id of the user who made the last change.' })
  updatedBy!: string;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'The time of the deletion; null unless the picture is deleted.',
  })
  deletedAt!: Date | null;

  @ApiProperty({
    type: Date,
    nullable: true,
    description:
      'A deleted picture can be restored until this time; null unless the picture is deleted.',
  })
  expiresAt!: Date | null;
}

export class AssetPageResponse extends PageOf(AssetResponse) {}

class AssetUsageResponse extends DocumentReference implements AssetUsage {
  @ApiProperty({ enum: ['template', 'module'], description: 'What refers to the picture.' })
  kind!: 'template' | 'module';

  @VersionNumber()
  version!: number;
}

export class AssetUsagePageResponse extends PageOf(AssetUsageResponse) {}

export class StorageUsageResponse implements StorageUsage {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many pictures the workspace stores, including deleted and replaced ones.',
  })
  files!: number;

  @ApiProperty({ ...BYTES, description: 'The size of these pictures in bytes.' })
  bytes!: number;

  @ApiProperty({ ...BYTES, description: 'The largest allowed number of pictures (`MAX_ASSETS`).' })
  maxFiles!: number;

  @ApiProperty({
    ...BYTES,
    description: 'The largest allowed size of all pictures in bytes (`MAX_ASSETS_BYTES`).',
  })
  maxBytes!: number;

  @ApiProperty({
    ...BYTES,
    description: 'The largest allowed size of one picture in bytes (`MAX_ASSET_BYTES`).',
  })
  maxFileBytes!: number;
}
