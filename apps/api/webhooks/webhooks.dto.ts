import { eventPatterns, type EventKind, type EventPattern } from '#events';
import {
  MAX_HEADERS,
  MAX_HEADER_VALUE,
  problemOfHeaders,
  type DeliveryStatus,
  type EndpointStatus,
  type HeldChoice,
} from '#webhooks';
import { listOf } from '../http/enums.js';
import {
  check,
  IfGiven,
  isId,
  IsIdOf,
  IsOneOf,
  IsText,
  IsTrueOrFalse,
  problemOfText,
  Unchanged,
} from '../http/fields.js';
import { PageQuery } from '../http/list-query.js';
import { ID } from '../http/schemas.js';
import { IsQueryTime, UnchangedTime } from '../http/times.js';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 2_000;
const MAX_RESOURCES = 100;
const MAX_RATE = 1_000;
const MAX_OVERLAP_HOURS = 7 * 24;
export const DEFAULT_OVERLAP_HOURS = 24;

export const IsEventList = () =>
  check('isEventList', problemOfEvents, {
    ...{ ...listOf('SubscribableKind'), minItems: 1, uniqueItems: true },
    description: 'What it is told of.',
  });

function problemOfEvents(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one event';
  const unknown: unknown = value.find((kind) => !eventPatterns.includes(kind as EventPattern));
  if (unknown !== undefined) return `must hold only events of ${eventPatterns.join(', ')}`;
  return new Set(value).size < value.length ? 'must not name an event twice' : undefined;
}

const IsIdListOrNull = () =>
  check('isIdList', problemOfIds, {
    ...{ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true },
    ...{ minItems: 1, maxItems: MAX_RESOURCES, uniqueItems: true },
    description: 'Only events of these templates and modules; null for all.',
  });

function problemOfIds(value: unknown): string | undefined {
  if (value === null) return undefined;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_RESOURCES;
  if (!isList || !value.every((id) => typeof id === 'string' && isId(id))) {
    return `must be a list of 1 to ${MAX_RESOURCES} ids, or null for all`;
  }
  const ids = new Set(value.map((id: string) => id.toLowerCase()));
  return ids.size < value.length ? 'must not name an id twice' : undefined;
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const IsRateOrNull = () =>
  check(
    'isRate',
    (value) =>
      value === null || isWhole(value, 1, MAX_RATE)
        ? undefined
        : `must be a whole number of attempts a second from 1 to ${MAX_RATE}, or null for no limit`,
    {
      ...{ type: 'integer', minimum: 1, maximum: MAX_RATE, nullable: true },
      description: 'Attempts a second at most; null for no limit.',
    },
  );

const AreHeaders = () =>
  check('areHeaders', problemOfHeaders, {
    ...{
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE },
    },
    ...{ maxProperties: MAX_HEADERS },
    description:
      'Headers of your own that come with each notification: names as HTTP allows (100 characters at most) and values of printable ASCII. Names that Galley or HTTP itself sets are refused: `host`, `connection`, `transfer-encoding`, `te`, `trailer`, `upgrade`, `keep-alive`, `expect`, `date`, `via`, `forwarded`, `cookie`, `user-agent`, and all that begin with `content-`, `proxy-`, `x-forwarded-`, `webhook-` and `x-service-`. Answers show `********` for each value; put back, it leaves that value as it is. With a `url` of another origin all values must be given anew.',
  });

const IsUrl = () =>
  check('isText', (value) => problemOfText(value, MAX_URL), {
    ...{ type: String, maxLength: MAX_URL, format: 'uri' },
    description: 'Where notifications go: https, and not an address of a private network.',
  });

interface Fields {
  resourceIds?: string[] | null;
  description?: string;
  headers?: Record<string, string>;
  rateLimit?: number | null;
  ordered?: boolean;
}

/** The fields that a webhook may be made without, and what they are then; what changes one leaves them as they are. */
function fieldsWith(defaults: Fields): new () => Fields {
  class WebhookFields implements Fields {
    @IfGiven(undefined, defaults.resourceIds)
    @IsIdListOrNull()
    resourceIds?: string[] | null;

    @IfGiven('What it is for, in words of your own.', defaults.description)
    @IsText(MAX_DESCRIPTION)
    description?: string;

    @IfGiven(undefined, defaults.headers)
    @AreHeaders()
    headers?: Record<string, string>;

    @IfGiven(undefined, defaults.rateLimit)
    @IsRateOrNull()
    rateLimit?: number | null;

    @IfGiven('Whether the events of a resource wait for each other.', defaults.ordered)
    @IsTrueOrFalse()
    ordered?: boolean;
  }
  return WebhookFields;
}

const NEW = { resourceIds: null, description: '', headers: {}, rateLimit: null, ordered: false };

export class CreateWebhookDto extends fieldsWith(NEW) {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IsUrl()
  url!: string;

  @IsEventList()
  events!: EventPattern[];
}

export class UpdateWebhookDto extends fieldsWith({}) {
  @IfGiven()
  @IsUrl()
  url?: string;

  @IfGiven()
  @IsEventList()
  events?: EventPattern[];

  @IfGiven(
    '`active` enables it, `disabled` disables it. `failing` is accepted only while it is that, to be put back as it was read.',
  )
  @IsOneOf('WebhookStatus')
  status?: EndpointStatus;

  @Unchanged(ID) id?: unknown;
  @Unchanged(ID) workspaceId?: unknown;
  @Unchanged({ type: String, nullable: true }) statusReason?: unknown;
  @UnchangedTime() statusSince?: unknown;
  @UnchangedTime() createdAt?: unknown;
  @UnchangedTime() updatedAt?: unknown;
}

export class ListWebhooksQuery extends PageQuery {
  @IsIdOf('workspace')
  workspaceId!: string;
}

export class EnableWebhookDto {
  @IfGiven(undefined, 'send')
  @IsOneOf('HeldChoice')
  held?: HeldChoice;
}

export class RotateSecretDto {
  @IfGiven()
  @check(
    'isOverlap',
    (value) =>
      isWhole(value, 0, MAX_OVERLAP_HOURS)
        ? undefined
        : `must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}`,
    {
      ...{
        type: 'integer',
        minimum: 0,
        maximum: MAX_OVERLAP_HOURS,
        default: DEFAULT_OVERLAP_HOURS,
      },
      description: 'For how long the earlier secret signs as well.',
    },
  )
  overlapHours?: number;
}

export class ListDeliveriesQuery extends PageQuery {
  @IfGiven('Only those that have this status.')
  @IsOneOf('DeliveryStatus')
  status?: DeliveryStatus;

  @IfGiven('Only those of this event.')
  @IsOneOf('EventKind')
  event?: EventKind;

  @IfGiven('Only those of this template, module or webhook.')
  @IsIdOf('resource')
  resourceId?: string;

  @IfGiven()
  @IsQueryTime('Only those that were made at this time or later.')
  since?: Date;

  @IfGiven()
  @IsQueryTime('Only those that were made before this time.')
  until?: Date;
}
