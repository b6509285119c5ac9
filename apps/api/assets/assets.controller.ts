import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Assets, type Asset, type Upload } from '#assets';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { IfMatch } from '../operations/if-match.js';
import { Operation } from '../operations/operation.js';
import { MarkCreated } from '../operations/response-headers.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import {
  AssetsQuery,
  DeleteAssetQuery,
  ListAssetsQuery,
  ReplaceAssetDto,
  UpdateAssetDto,
  UploadAssetDto,
} from './assets.dto.js';
import {
  AssetPageResponse,
  AssetResponse,
  AssetUsagePageResponse,
  StorageUsageResponse,
} from './assets.responses.js';
import { UploadedForm } from './upload-form.js';

const UPLOAD_ERRORS = {
  conflict: 'The operator of Galley has configured no storage for pictures (`ASSETS_STORAGE`).',
  limit_reached:
    'The workspace would have too many pictures (`MAX_ASSETS`) or too many bytes (`MAX_ASSETS_BYTES`). Deleted pictures count until Galley deletes them for good.',
  too_large: 'The picture is larger than 10 MiB (`MAX_ASSET_BYTES`).',
  unsupported_media_type: 'The body is not `multipart/form-data`, or is compressed.',
} as const;

const UPLOAD_DESCRIPTION =
  'Galley removes metadata such as the place of a photograph (EXIF), and turns an SVG into a PNG, at twice its size. A picture may have 40 million pixels, in all frames together.';

@ApiTags('Pictures')
@Controller('api')
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  @Operation({
    id: 'listAssets',
    summary: 'List the pictures of a workspace',
    role: 'viewer',
    description:
      'The most recently changed picture comes first. With a filter, a page may have fewer pictures than `limit`, or none at all, and still have a `nextCursor`.',
    response: AssetPageResponse,
  })
  @Get('assets')
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListAssetsQuery) {
    return this.assets.list(actor, query);
  }

  @Operation({
    id: 'uploadAsset',
    summary: 'Upload a picture',
    role: 'editor',
    description: `${UPLOAD_DESCRIPTION} If the workspace has the same picture, the response is 200 with that picture, which keeps its name and tags. If that picture is deleted, the upload restores it.`,
    status: 200,
    response: AssetResponse,
    etag: true,
    mayCreate: true,
    location: ({ id }: Asset) => `/api/assets/${id}`,
    upload: true,
    errors: UPLOAD_ERRORS,
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadAssetDto })
  @Post('assets')
  async upload(
    @CurrentActor() actor: Actor,
    @QueryDto() { workspaceId }: AssetsQuery,
    @UploadedForm() upload: Upload,
    @CurrentSlot() slot: Slot,
    @MarkCreated() markCreated: () => void,
  ) {
    const { asset, isCreated } = await this.assets.create(actor, workspaceId, upload, slot);
    if (isCreated) markCreated();
    return asset;
  }

  @Operation({
    id: 'getAsset',
    summary: 'Get a picture',
    role: 'viewer',
    description: 'Describes the picture. Its `url` has the picture itself.',
    response: AssetResponse,
    etag: true,
  })
  @Get('assets/:id')
  get(@CurrentActor() actor: Actor, @PathId('picture') id: string) {
    return this.assets.get(actor, id);
  }

  @Operation({
    id: 'updateAsset',
    summary: 'Change the name or the tags of a picture',
    role: 'editor',
    description: 'The `url` stays the same.',
    response: AssetResponse,
    etag: true,
    ifMatch: true,
  })
  @Patch('assets/:id')
  update(
    @CurrentActor() actor: Actor,
    @PathId('picture') id: string,
    @BodyDto() body: UpdateAssetDto,
    @IfMatch() precondition: Precondition,
  ) {
    const change = requireAtLeastOne(body, ['name', 'tags']);
    return this.assets.update(actor, id, change, precondition);
  }

  @Operation({
    id: 'replaceAsset',
    summary: 'Replace a picture',
    role: 'editor',
    description: `${UPLOAD_DESCRIPTION} The picture keeps its id, name and tags, and gets another \`url\`. Documents and emails with the earlier URL keep showing the earlier picture, for 30 days (\`TRASH_DAYS\`) and for as long as a document needs it.`,
    response: AssetResponse,
    etag: true,
    ifMatch: true,
    upload: true,
    errors: {
      ...UPLOAD_ERRORS,
      already_exists: 'Another picture of the workspace, or a deleted one, has the same content.',
    },
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ReplaceAssetDto })
  @Put('assets/:id/content')
  replace(
    @CurrentActor() actor: Actor,
    @PathId('picture') id: string,
    @UploadedForm() upload: Upload,
    @CurrentSlot() slot: Slot,
    @IfMatch() precondition: Precondition,
  ) {
    return this.assets.replace(actor, id, upload, slot, precondition);
  }

  @Operation({
    id: 'deleteAsset',
    summary: 'Delete a picture',
    role: 'editor',
    description:
      'The picture can be restored for 30 days (`TRASH_DAYS`), and its `url` keeps working for that time. Afterwards, Galley deletes the file, as soon as no document needs it: neither the latest nor a published or scheduled version of a template, nor a version of a module.',
    status: 204,
    ifMatch: true,
    errors: {
      in_use:
        'The latest version of a template or module refers to the picture, and `force` is not set.',
    },
  })
  @Delete('assets/:id')
  async delete(
    @CurrentActor() actor: Actor,
    @PathId('picture') id: string,
    @QueryDto() { force }: DeleteAssetQuery,
    @IfMatch() precondition: Precondition,
  ) {
    await this.assets.delete(actor, id, { force, precondition });
  }

  @Operation({
    id: 'restoreAsset',
    summary: 'Restore a deleted picture',
    role: 'editor',
    response: AssetResponse,
    etag: true,
    idempotent: true,
  })
  @Post('assets/:id/restore')
  restore(@CurrentActor() actor: Actor, @PathId('picture') id: string) {
    return this.assets.restore(actor, id);
  }

  @Operation({
    id: 'listAssetUsages',
    summary: 'List the templates and modules that refer to a picture',
    role: 'viewer',
    description:
      'Lists the templates and modules of the workspace whose latest version contains the `url` of the picture, in the order of their ids. A page may have fewer items than `limit`, or none at all, and still have a `nextCursor`.',
    response: AssetUsagePageResponse,
  })
  @Get('assets/:id/usages')
  listUsages(
    @CurrentActor() actor: Actor,
    @PathId('picture') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.assets.listUsages(actor, id, query);
  }

  @Operation({
    id: 'getStorageUsage',
    summary: 'Get how much space the pictures of a workspace take',
    role: 'viewer',
    response: StorageUsageResponse,
  })
  @Get('workspaces/:id/storage-usage')
  readUsage(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return this.assets.readUsage(actor, id);
  }
}
