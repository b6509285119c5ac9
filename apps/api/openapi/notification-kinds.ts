import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { EventCatalogue, EventKind } from '#events';
import { DocumentIdentity, VersionNumber } from '../documents/document.responses.js';
import { withTexts } from '../documents/text-fields.js';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA } from '../validation/schemas.js';
import { exampleIds } from './examples/request-examples.js';

class TemplateEvent extends withTexts(DocumentIdentity, 'template', { inEvents: true }) {
  @VersionNumber()
  version!: number;
}

class TemplateCopyEvent extends TemplateEvent {
  @ApiProperty({ ...ID_SCHEMA, description: 'The template that was duplicated.' })
  sourceId!: string;
}

class PublicationEvent extends DocumentIdentity {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'The number of the version that was published or unpublished.',
  })
  version!: number;

  @ApiProperty({ description: 'The name of the environment.' })
  environment!: string;
}

class ModuleEvent extends withTexts(DocumentIdentity, 'module', { inEvents: true }) {
  @VersionNumber()
  version!: number;
}

class WebhookTestEvent {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty(ID_SCHEMA)
  workspaceId!: string;

  @ApiProperty({ description: 'The description of the webhook.' })
  description!: string;
}

class WebhookEvent extends WebhookTestEvent {
  @ApiProperty(enumProperty('WebhookStatus'))
  status!: string;

  @ApiProperty({ description: 'Why the status changed, in plain words.' })
  reason!: string;
}

interface NotificationKind<Data> {
  summary: string;
  model: Type<Data>;
  example: Data;
}

const { workspace: workspaceId, template, templateCopy, module, webhook } = exampleIds;
const templateData = {
  id: template,
  name: 'Welcome',
  workspaceId,
  externalId: 'welcome',
  version: 1,
};
const moduleData = {
  id: module,
  name: 'Footer',
  workspaceId,
  externalId: 'footer',
  category: 'footers',
  version: 1,
};
const webhookData = { id: webhook, workspaceId, description: 'Search index' };

/**
 * All kinds of notifications. `summary` says when Galley sends a notification; `model` and `example` describe its
 * `data`.
 */
export const notifications: { [Kind in EventKind]: NotificationKind<EventCatalogue[Kind]> } = {
  'template.created': {
    summary: 'A template was created',
    model: TemplateEvent,
    example: templateData,
  },
  'template.updated': {
    summary: 'A template was updated, or one of its versions was restored',
    model: TemplateEvent,
    example: { ...templateData, version: 2 },
  },
  'template.deleted': {
    summary: 'A template was deleted',
    model: TemplateEvent,
    example: { ...templateData, version: 2 },
  },
  'template.duplicated': {
    summary: 'A template was duplicated; the notification is about the copy',
    model: TemplateCopyEvent,
    example: {
      ...templateData,
      id: templateCopy,
      name: 'Welcome (copy)',
      externalId: null,
      sourceId: template,
    },
  },
  'template.restored': {
    summary: 'A template was restored from the trash',
    model: TemplateEvent,
    example: { ...templateData, version: 2 },
  },
  'template.published': {
    summary: 'A version of a template was published in an environment',
    model: PublicationEvent,
    example: { ...templateData, environment: 'production' },
  },
  'template.unpublished': {
    summary: 'A template was unpublished in an environment',
    model: PublicationEvent,
    example: { ...templateData, environment: 'production' },
  },
  'module.created': {
    summary: 'A module was created',
    model: ModuleEvent,
    example: moduleData,
  },
  'module.updated': {
    summary: 'A module was updated, or one of its versions was restored',
    model: ModuleEvent,
    example: { ...moduleData, version: 2 },
  },
  'module.deleted': {
    summary: 'A module was deleted',
    model: ModuleEvent,
    example: { ...moduleData, version: 2 },
  },
  'module.restored': {
    summary: 'A module was restored from the trash',
    model: ModuleEvent,
    example: { ...moduleData, version: 2 },
  },
  'webhook.failing': {
    summary: 'A webhook of the workspace is failing',
    model: WebhookEvent,
    example: {
      ...webhookData,
      status: 'failing',
      reason: '5 consecutive attempts have failed. Last error: the response status was 500.',
    },
  },
  'webhook.disabled': {
    summary: 'A webhook of the workspace was disabled',
    model: WebhookEvent,
    example: {
      ...webhookData,
      status: 'disabled',
      reason: 'The receiver responded with 410 Gone.',
    },
  },
  'webhook.active': {
    summary: 'A webhook of the workspace works again',
    model: WebhookEvent,
    example: { ...webhookData, status: 'active', reason: 'An attempt succeeded.' },
  },
  'webhook.test': {
    summary: 'A member requested a test',
    model: WebhookTestEvent,
    example: webhookData,
  },
};
