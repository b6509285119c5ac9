import { eventKinds, type EventKind } from '#events';
import { endpointStatuses, type EndpointStatus } from '#webhooks';
import { Allow, IsIn } from 'class-validator';
import { check, IfGiven, IsIdOf, IsText, PageQuery } from '../http/fields.js';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 2_000;

const IsEventList = () =>
  check('isEventList', (value) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one event';
    const unknown: unknown = value.find((kind) => !eventKinds.includes(kind as EventKind));
    if (unknown !== undefined) return `must hold only events of ${eventKinds.join(', ')}`;
    return new Set(value).size < value.length ? 'must not name an event twice' : undefined;
  });

export class CreateWebhookDto {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IsText(MAX_URL)
  url!: string;

  @IsEventList()
  events!: EventKind[];

  @IfGiven()
  @IsText(MAX_DESCRIPTION)
  description?: string;
}

export class UpdateWebhookDto {
  @IfGiven()
  @IsText(MAX_URL)
  url?: string;

  @IfGiven()
  @IsEventList()
  events?: EventKind[];

  @IfGiven()
  @IsText(MAX_DESCRIPTION)
  description?: string;

  @IfGiven()
  @IsIn(endpointStatuses, { message: `status must be one of ${endpointStatuses.join(', ')}` })
  status?: EndpointStatus;

  // Read-only: they may be put back as they were read.
  @Allow() id?: unknown;
  @Allow() workspaceId?: unknown;
  @Allow() createdAt?: unknown;
  @Allow() updatedAt?: unknown;
}

export class ListWebhooksQuery extends PageQuery {
  @IsIdOf('workspace')
  workspaceId!: string;
}
