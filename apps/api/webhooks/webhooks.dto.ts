import { eventPatterns, type EventKind, type EventPattern } from '#events';
import {
  MAX_HEADERS,
  MAX_HEADER_VALUE_LENGTH,
  findHeaderProblem,
  type DeliveryStatus,
  type EndpointStatus,
  type HeldDeliveriesAction,
} from '#webhooks';
import { enumListProperty } from '../validation/enums.js';
import {
  fieldRule,
  Optional,
  isId,
  ResourceId,
  IsOneOf,
  IsText,
  IsTrueOrFalse,
  findTextProblem,
  ReadOnly,
} from '../validation/fields.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { ID_SCHEMA } from '../validation/schemas.js';
import { IsQueryTime, ReadOnlyTime } from '../validation/times.js';

const MAX_URL_LENGTH = 2_000;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_RESOURCE_IDS = 100;
const MAX_RATE_LIMIT = 1_000;
const MAX_OVERLAP_HOURS = 7 * 24;
export const DEFAULT_OVERLAP_HOURS = 24;

export const IsEventList = () =>
  fieldRule('isEventList', findEventsProblem, {
    ...enumListProperty('SubscribableKind'),
    minItems: 1,
    uniqueItems: true,
    description: 'The events that the webhook receives.',
  });

function findEventsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one event';
  const unknownEvent: unknown = value.find((kind) => !eventPatterns.includes(kind as EventPattern));
  if (unknownEvent !== undefined)
    return `must contain only these events: ${eventPatterns.join(', ')}`;
  return new Set(value).size < value.length ? 'must not contain an event twice' : undefined;
}

const IsResourceIdsOrNull = () =>
  fieldRule('isIdList', findResourceIdsProblem, {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    nullable: true,
    minItems: 1,
    maxItems: MAX_RESOURCE_IDS,
    uniqueItems: true,
    description:
      'The ids of the templates, modules and webhooks whose events the webhook receives; null for the events of all resources.',
  });

function findResourceIdsProblem(value: unknown): string | undefined {
  if (value === null) return undefined;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_RESOURCE_IDS;
  if (!isList || !value.every((id) => typeof id === 'string' && isId(id))) {
    return `must be a list of 1 to ${MAX_RESOURCE_IDS} ids, or null for all`;
  }
  const ids = new Set(value.map((id: string) => id.toLowerCase()));
  return ids.size < value.length ? 'must not contain an id twice' : undefined;
}

const isIntegerBetween = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

const IsRateLimitOrNull = () =>
  fieldRule(
    'isRate',
    (value) =>
      value === null || isIntegerBetween(value, 1, MAX_RATE_LIMIT)
        ? undefined
        : `must be a whole number of attempts a second from 1 to ${MAX_RATE_LIMIT}, or null for no limit`,
    {
      type: 'integer',
      minimum: 1,
      maximum: MAX_RATE_LIMIT,
      nullable: true,
      description: 'The maximum number of attempts per second; null for no limit.',
    },
  );

const IsCustomHeaders = () =>
  fieldRule('areHeaders', findHeaderProblem, {
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
    maxProperties: MAX_HEADERS,
    description:
      'Your own headers, which Galley sends with each notification. A name is a valid HTTP header name of at most 100 characters; a value is printable ASCII. Galley refuses headers that Galley or HTTP sets: `host`, `connection`, `transfer-encoding`, `te`, `trailer`, `upgrade`, `keep-alive`, `expect`, `date`, `via`, `forwarded`, `cookie`, `user-agent`, and all headers that begin with `content-`, `proxy-`, `x-forwarded-`, `webhook-` and `x-service-`. Responses show `********` instead of each value. To keep a value, send `********` back. If you change `url` to another origin, you must send all values.',
  });

const IsWebhookUrl = () =>
  fieldRule('isText', (value) => findTextProblem(value, MAX_URL_LENGTH), {
    type: String,
    maxLength: MAX_URL_LENGTH,
    format: 'uri',
    description:
      'The URL that receives notifications. The URL must use `https`, and its host must not be in a private network.',
  });

interface OptionalWebhookFields {
  resourceIds?: string[] | null;
  description?: string;
  headers?: Record<string, string>;
  rateLimit?: number | null;
  ordered?: boolean;
}

/**
 * Creates a DTO class with the optional fields of a webhook. The OpenAPI document shows the `defaults`, which a new
 * webhook gets for omitted fields. An update has no defaults, because it does not change omitted fields.
 */
function withDefaults(defaults: OptionalWebhookFields): new () => OptionalWebhookFields {
  class WebhookFields implements OptionalWebhookFields {
    @Optional(undefined, defaults.resourceIds)
    @IsResourceIdsOrNull()
    resourceIds?: string[] | null;

    @Optional('A description of your choice.', defaults.description)
    @IsText(MAX_DESCRIPTION_LENGTH)
    description?: string;

    @Optional(undefined, defaults.headers)
    @IsCustomHeaders()
    headers?: Record<string, string>;

    @Optional(undefined, defaults.rateLimit)
    @IsRateLimitOrNull()
    rateLimit?: number | null;

    @Optional(
      'Whether Galley sends the events of a resource in order, and sends each event only after the delivery of the previous event is finished.',
      defaults.ordered,
    )
    @IsTrueOrFalse()
    ordered?: boolean;
  }
  return WebhookFields;
}

const NEW_WEBHOOK_DEFAULTS = {
  resourceIds: null,
  description: '',
  headers: {},
  rateLimit: null,
  ordered: false,
};

export class CreateWebhookDto extends withDefaults(NEW_WEBHOOK_DEFAULTS) {
  @ResourceId('workspace')
  workspaceId!: string;

  @IsWebhookUrl()
  url!: string;

  @IsEventList()
  events!: EventPattern[];
}

export class UpdateWebhookDto extends withDefaults({}) {
  @Optional()
  @IsWebhookUrl()
  url?: string;

  @Optional()
  @IsEventList()
  events?: EventPattern[];

  @Optional(
    '`active` enables the webhook, `disabled` disables it. You may send `failing` only if the status is `failing` already, so that you can send back what you have read.',
  )
  @IsOneOf('WebhookStatus')
  status?: EndpointStatus;

  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(ID_SCHEMA) workspaceId?: unknown;
  @ReadOnly({ type: String, nullable: true }) statusReason?: unknown;
  @ReadOnlyTime() statusSince?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
}

export class ListWebhooksQuery extends PageQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @IsQueryBoolean(
    false,
    'Whether the response includes the `stats` of each webhook for the last 24 hours.',
  )
  stats: boolean = false;
}

export class EnableWebhookDto {
  @Optional(undefined, 'send')
  @IsOneOf('HeldChoice')
  held?: HeldDeliveriesAction;
}

export class RotateSecretDto {
  @Optional()
  @fieldRule(
    'isOverlap',
    (value) =>
      isIntegerBetween(value, 0, MAX_OVERLAP_HOURS)
        ? undefined
        : `must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}`,
    {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
      default: DEFAULT_OVERLAP_HOURS,
      description: 'For how many hours the previous secret continues to sign notifications.',
    },
  )
  overlapHours?: number;
}

export class ListDeliveriesQuery extends PageQuery {
  @Optional('Only deliveries with this status.')
  @IsOneOf('DeliveryStatus')
  status?: DeliveryStatus;

  @Optional('Only deliveries of events of this kind.')
  @IsOneOf('EventKind')
  event?: EventKind;

  @Optional('Only deliveries about the template, module or webhook with this id.')
  @ResourceId('resource')
  resourceId?: string;

  @Optional()
  @IsQueryTime('Only deliveries that were created at this time or later.')
  since?: Date;

  @Optional()
  @IsQueryTime('Only deliveries that were created before this time.')
  until?: Date;
}
