import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Checking } from '#rendering';
import { Publishing } from '#publishing';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import {
  ListPublicationsQuery,
  PublishDto,
  PublishedQuery,
  UnpublishDto,
} from './publishing.dto.js';
import {
  PublicationPageResponse,
  PublicationResponse,
  PublishedTemplateResponse,
} from './publishing.responses.js';

@ApiTags('Publishing')
@Controller('api/templates/:id')
export class PublishingController {
  constructor(
    private readonly publishing: Publishing,
    private readonly checking: Checking,
  ) {}

  @Operation({
    id: 'getPublishedTemplate',
    summary: 'Get the published version of a template',
    role: 'viewer',
    accessDescription:
      'Requires the `viewer` role in the workspace, or an API key that is limited to the environment.',
    description:
      'For programs that send emails: returns the version that is published in the environment. The version changes only when somebody publishes another version. With `expand=modules`, each reference is replaced with the content that its module had when the version of the template was created.',
    response: PublishedTemplateResponse,
    etag: true,
  })
  @Get('published')
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() { environment, expand }: PublishedQuery,
  ) {
    return this.publishing.read(actor, id, environment, expand);
  }

  @Operation({
    id: 'publishTemplate',
    summary: 'Publish a version of a template',
    role: 'editor',
    description:
      'Galley publishes the event `template.published`. If the version is already published in the environment, nothing changes. With `at`, Galley publishes the version at that time, or up to a few seconds later. A template has at most 100 scheduled publications. If the check settings of the workspace have `errorsBlockPublishing`, Galley does not publish a version with errors; `details` names the first errors.',
    response: PublicationResponse,
    idempotent: true,
    errors: {
      checks_failed:
        'The version has errors, and the workspace does not publish versions with errors.',
      limit_reached: 'The template has 100 scheduled publications.',
      unavailable: 'Galley could not check the version in time.',
    },
  })
  @Post('publish')
  publish(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() { at, ...body }: PublishDto,
    @CurrentSlot() slot: Slot,
  ) {
    const request = { ...body, at: at === undefined ? undefined : new Date(at) };
    return this.publishing.publish(actor, id, request, async () => {
      const refusal = await this.checking.findRefusal(actor, id, body, slot);
      await slot.takeAgain();
      return refusal;
    });
  }

  @Operation({
    id: 'unpublishTemplate',
    summary: 'Unpublish a template',
    role: 'editor',
    description:
      'Galley publishes the event `template.unpublished`. Scheduled publications stay scheduled. If the template is not published in the environment, the response is 404.',
    response: PublicationResponse,
    optionalBody: true,
    idempotent: true,
  })
  @Post('unpublish')
  unpublish(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() body: UnpublishDto,
  ) {
    return this.publishing.unpublish(actor, id, body);
  }

  @Operation({
    id: 'listPublications',
    summary: 'List the publications of a template',
    role: 'viewer',
    description:
      'Lists what was published and unpublished, newest first. For scheduled publications, use `listScheduledPublications`.',
    response: PublicationPageResponse,
  })
  @Get('publications')
  list(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() query: ListPublicationsQuery,
  ) {
    return this.publishing.list(actor, id, query);
  }

  @Operation({
    id: 'listScheduledPublications',
    summary: 'List the scheduled publications of a template',
    role: 'viewer',
    description: 'The publication that is due next comes first.',
    response: PublicationPageResponse,
  })
  @Get('publications/scheduled')
  listScheduled(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.publishing.listScheduled(actor, 'template', id, query);
  }

  @Operation({
    id: 'cancelScheduledPublication',
    summary: 'Cancel a scheduled publication',
    role: 'editor',
    description: 'If Galley has already published the version, the response is 404.',
    status: 204,
  })
  @Delete('publications/scheduled/:publicationId')
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathId('publication', 'publicationId') publicationId: string,
  ) {
    return this.publishing.cancel(actor, id, publicationId);
  }
}
