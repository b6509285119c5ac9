import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { EventCatalogue, EventKind } from '#events';
import { oneOf } from '../http/enums.js';
import { ID } from '../http/schemas.js';
import { CATEGORY } from '../modules/modules.dto.js';
import { exampleIds } from './examples.js';

class TemplateEventAnswer {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Of the latest version.' })
  version!: number;
}

class TemplateCopyEventAnswer extends TemplateEventAnswer {
  @ApiProperty({ ...ID, description: 'The template that was duplicated.' })
  sourceId!: string;
}

class ModuleEventAnswer {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ description: CATEGORY })
  category!: string;
}

class WebhookTestEventAnswer {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ description: 'What the webhook is for, in words of your own.' })
  description!: string;
}

class WebhookEventAnswer extends WebhookTestEventAnswer {
  @ApiProperty(oneOf('WebhookStatus'))
  status!: string;

  @ApiProperty({ description: 'In plain words.' })
  reason!: string;
}

interface Notification<Data> {
  summary: string;
  model: Type<Data>;
  example: Data;
}

const { workspace: workspaceId, template, templateCopy, module, webhook } = exampleIds;
const aTemplate = { id: template, name: 'Welcome', workspaceId, version: 1 };
const aModule = { id: module, name: 'Footer', workspaceId, category: 'footers' };
const aWebhook = { id: webhook, workspaceId, description: 'Search index' };

/** Every kind of notification: what it is sent for, and the `data` that it carries. */
export const notifications: { [Kind in EventKind]: Notification<EventCatalogue[Kind]> } = {
  'template.created': {
    summary: 'A template was created',
    ...{ model: TemplateEventAnswer, example: aTemplate },
  },
  'template.updated': {
    summary: 'A template was updated, or one of its versions restored',
    ...{ model: TemplateEventAnswer, example: { ...aTemplate, version: 2 } },
  },
  'template.deleted': {
    summary: 'A template was deleted',
    ...{ model: TemplateEventAnswer, example: { ...aTemplate, version: 2 } },
  },
  'template.duplicated': {
    summary: 'A template was duplicated: this is the copy',
    model: TemplateCopyEventAnswer,
    example: { ...aTemplate, id: templateCopy, name: 'Welcome (copy)', sourceId: template },
  },
  'module.created': {
    summary: 'A module was created',
    ...{ model: ModuleEventAnswer, example: aModule },
  },
  'module.updated': {
    summary: 'A module was updated',
    ...{ model: ModuleEventAnswer, example: aModule },
  },
  'module.deleted': {
    summary: 'A module was deleted',
    ...{ model: ModuleEventAnswer, example: aModule },
  },
  'webhook.failing': {
    summary: 'A webhook of the workspace keeps failing',
    model: WebhookEventAnswer,
    example: {
      ...{ ...aWebhook, status: 'failing' },
      reason: '5 attempts in a row have failed. The last one: the answer was 500.',
    },
  },
  'webhook.disabled': {
    summary: 'A webhook of the workspace was disabled',
    model: WebhookEventAnswer,
    example: {
      ...{ ...aWebhook, status: 'disabled', reason: 'The receiver answered 410 Gone.' },
    },
  },
  'webhook.active': {
    summary: 'A webhook of the workspace works again',
    model: WebhookEventAnswer,
    example: { ...aWebhook, status: 'active', reason: 'An attempt succeeded.' },
  },
  'webhook.test': {
    summary: 'Somebody has asked for a test',
    ...{ model: WebhookTestEventAnswer, example: aWebhook },
  },
};
