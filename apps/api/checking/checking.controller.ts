import { Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { contentTag, DomainError, requireMatchingTag, type Precondition } from '#errors';
import { Checking, ruleDescriptions } from '#rendering';
import { CheckSettings, type Actor, type WorkspaceCheckSettings } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { IfMatch } from '../operations/if-match.js';
import { Operation } from '../operations/operation.js';
import { BodyDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { ChangeCheckSettingsDto, CheckDto, CheckTemplateDto } from './checking.dto.js';
import {
  CheckedResponse,
  CheckSettingsResponse,
  CheckSettingsWithRulesResponse,
} from './checking.responses.js';

/** The ETag also covers the rules: the response lists them, and they may change with a new release of Galley. */
const settingsTag = ({ levels, errorsBlockPublishing }: WorkspaceCheckSettings): string =>
  contentTag({ levels, errorsBlockPublishing, ruleDescriptions });

@ApiTags('Checks')
@Controller('api')
export class CheckingController {
  constructor(
    private readonly checking: Checking,
    private readonly settings: CheckSettings,
  ) {}

  @Operation({
    id: 'checkTemplate',
    isSafe: true,
    summary: 'Check a template',
    role: 'viewer',
    accessDescription:
      'Requires the `viewer` role in the workspace. An API key that is limited to an environment may check what is published there.',
    description:
      'Finds mistakes in a version of the template, including the modules that it uses. The check settings of the workspace determine what counts as an error. Galley does not follow links or load pictures. A document without a `stripes` array gets 400.',
    response: CheckedResponse,
    optionalBody: true,
    errors: {
      unavailable:
        'Too many documents are being checked, or this document takes too long to check.',
    },
  })
  @Post('templates/:id/check')
  checkTemplate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() { version, environment, data }: CheckTemplateDto,
    @CurrentSlot() slot: Slot,
  ) {
    if (version !== undefined && environment !== undefined) {
      throw DomainError.invalid('environment', 'Send either version or environment, not both.');
    }
    return this.checking.checkTemplate(actor, id, { version, environment }, { data }, slot);
  }

  @Operation({
    id: 'check',
    isSafe: true,
    summary: 'Check a document',
    description:
      'Finds mistakes in the document that you send, including the modules that it uses and that you may read. Galley does not store the document. Send `workspaceId` to use the check settings of that workspace. Galley does not follow links or load pictures. A document without a `stripes` array gets 400.',
    response: CheckedResponse,
    errors: {
      forbidden:
        'The API key is limited to an environment, or you are not a member of the workspace.',
      not_found: 'There is no such workspace.',
      unavailable:
        'Too many documents are being checked, or this document takes too long to check.',
    },
  })
  @Post('check')
  check(
    @CurrentActor() actor: Actor,
    @BodyDto() { content, workspaceId, data }: CheckDto,
    @CurrentSlot() slot: Slot,
  ) {
    return this.checking.checkContent(actor, content, { workspaceId, data }, slot);
  }

  @Operation({
    id: 'getCheckSettings',
    summary: 'Get the check settings of a workspace',
    role: 'viewer',
    response: CheckSettingsWithRulesResponse,
    etag: settingsTag,
  })
  @Get('workspaces/:id/check-settings')
  async getSettings(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return { ...(await this.settings.get(actor, id)), rules: ruleDescriptions };
  }

  @Operation({
    id: 'changeCheckSettings',
    summary: 'Change the check settings of a workspace',
    role: 'admin',
    description:
      'Changes the fields that you send. If you send `levels`, it replaces all levels that were set before.',
    response: CheckSettingsResponse,
    etag: settingsTag,
    ifMatch: true,
  })
  @Put('workspaces/:id/check-settings')
  changeSettings(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @IfMatch() precondition: Precondition,
    @BodyDto() body: ChangeCheckSettingsDto,
  ) {
    const change = requireAtLeastOne(body, ['levels', 'errorsBlockPublishing']);
    return this.settings.change(
      actor,
      id,
      change,
      precondition && ((current) => requireMatchingTag(precondition, settingsTag(current))),
    );
  }
}
