import { subscribableKinds, type SubscribableKind } from '#events';
import {
  deliveryStatuses,
  endpointStatuses,
  heldChoices,
  problemOfHeaders,
  type DeliveryStatus,
  type EndpointStatus,
  type HeldChoice,
} from '#webhooks';
import { Allow, IsBoolean, IsIn } from 'class-validator';
import { check, IfGiven, isId, IsIdOf, IsText, PageQuery } from '../http/fields.js';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 2_000;
const MAX_RESOURCES = 100;
const MAX_RATE = 1_000;
const MAX_OVERLAP_HOURS = 7 * 24;

export const IsEventList = () =>
  check('isEventList', (value) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one event';
    const unknown: unknown = value.find(
      (kind) => !subscribableKinds.includes(kind as SubscribableKind),
    );
    if (unknown !== undefined) return `must hold only events of ${subscribableKinds.join(', ')}`;
    return new Set(value).size < value.length ? 'must not name an event twice' : undefined;
  });

const IsIdListOrNull = () =>
  check('isIdList', (value) => {
    if (value === null) return undefined;
    const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_RESOURCES;
    if (!isList || !value.every((id) => typeof id === 'string' && isId(id))) {
      return `must be a list of 1 to ${MAX_RESOURCES} ids, or null for all`;
    }
    const ids = new Set(value.map((id: string) => id.toLowerCase()));
    return ids.size < value.length ? 'must not name an id twice' : undefined;
  });

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const IsRateOrNull = () =>
  check('isRate', (value) =>
    value === null || isWhole(value, 1, MAX_RATE)
      ? undefined
      : `must be a whole number of attempts a second from 1 to ${MAX_RATE}, or null for no limit`,
  );

const AreHeaders = () => check('areHeaders', problemOfHeaders);

class WebhookFields {
  @IfGiven()
  @IsIdListOrNull()
  resourceIds?: string[] | null;

  @IfGiven()
  @IsText(MAX_DESCRIPTION)
  description?: string;

  @IfGiven()
  @AreHeaders()
  headers?: Record<string, string>;

  @IfGiven()
  @IsRateOrNull()
  rateLimit?: number | null;

  @IfGiven()
  @IsBoolean({ message: 'ordered must be true or false' })
  ordered?: boolean;
}

export class CreateWebhookDto extends WebhookFields {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IsText(MAX_URL)
  url!: string;

  @IsEventList()
  events!: SubscribableKind[];
}

export class UpdateWebhookDto extends WebhookFields {
  @IfGiven()
  @IsText(MAX_URL)
  url?: string;

  @IfGiven()
  @IsEventList()
  events?: SubscribableKind[];

  @IfGiven()
  @IsIn(endpointStatuses, { message: 'status must be active or disabled' })
  status?: EndpointStatus;

  // Read-only: they may be put back as they were read.
  @Allow() id?: unknown;
  @Allow() workspaceId?: unknown;
  @Allow() statusReason?: unknown;
  @Allow() statusSince?: unknown;
  @Allow() createdAt?: unknown;
  @Allow() updatedAt?: unknown;
}

export class ListWebhooksQuery extends PageQuery {
  @IsIdOf('workspace')
  workspaceId!: string;
}

export class EnableWebhookDto {
  @IfGiven()
  @IsIn(heldChoices, { message: `held must be one of ${heldChoices.join(', ')}` })
  held?: HeldChoice;
}

export class RotateSecretDto {
  @IfGiven()
  @check('isOverlap', (value) =>
    isWhole(value, 0, MAX_OVERLAP_HOURS)
      ? undefined
      : `must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}`,
  )
  overlapHours?: number;
}

export class ListDeliveriesQuery extends PageQuery {
  @IfGiven()
  @IsIn(deliveryStatuses, { message: `status must be one of ${deliveryStatuses.join(', ')}` })
  status?: DeliveryStatus;
}
