import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Tags } from '#documents';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { ListTagsQuery, RemoveTagDto, RenameTagDto } from './tags.dto.js';
import { TagChangeResponse, TagPageResponse } from './tags.responses.js';

const CHANGE_DESCRIPTION =
  'One request changes at most 1,000 templates and 1,000 modules. Repeat the request until `isComplete` is `true`. Each changed template or module gets a new `updatedAt` and an event (`template.updated` or `module.updated`), but no new version.';

@ApiTags('Tags')
@Controller('api/tags')
export class TagsController {
  constructor(private readonly tags: Tags) {}

  @Operation({
    id: 'listTags',
    summary: 'List the tags of a workspace',
    description: 'Returns the tags of all templates and modules, sorted by code point.',
    role: 'viewer',
    response: TagPageResponse,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListTagsQuery) {
    return this.tags.list(actor, query);
  }

  @Operation({
    id: 'renameTag',
    summary: 'Rename a tag everywhere',
    description: CHANGE_DESCRIPTION,
    role: 'editor',
    status: 200,
    response: TagChangeResponse,
    idempotent: true,
    mayTakeLong: true,
  })
  @Post('rename')
  rename(@CurrentActor() actor: Actor, @BodyDto() body: RenameTagDto) {
    return this.tags.rename(actor, body);
  }

  @Operation({
    id: 'removeTag',
    summary: 'Remove a tag everywhere',
    description: CHANGE_DESCRIPTION,
    role: 'editor',
    status: 200,
    response: TagChangeResponse,
    idempotent: true,
    mayTakeLong: true,
  })
  @Post('remove')
  remove(@CurrentActor() actor: Actor, @BodyDto() body: RemoveTagDto) {
    return this.tags.remove(actor, body);
  }
}
