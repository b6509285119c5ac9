import type { CreateWebhook, SubscribableKind, Webhook } from '#client';

export interface HeaderRow {
  name: string;
  value: string;
}

export type WebhookValues = {
  url: string;
  events: SubscribableKind[];
  description: string;
  /** One id on each line. */
  resourceIds: string;
  headers: HeaderRow[];
  /** Empty if there is no limit. */
  rateLimit: number | '';
  ordered: boolean;
};

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  events: ['*'],
  description: '',
  resourceIds: '',
  headers: [],
  rateLimit: '',
  ordered: false,
};

export const ADVANCED_FIELDS: readonly string[] = [
  'resourceIds',
  'headers',
  'rateLimit',
  'ordered',
] satisfies (keyof WebhookValues)[];

export const toValues = (webhook: Webhook): WebhookValues => ({
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  resourceIds: webhook.resourceIds?.join('\n') ?? '',
  headers: Object.entries(webhook.headers).map(([name, value]) => ({ name, value })),
  rateLimit: webhook.rateLimit ?? '',
  ordered: webhook.ordered,
});

export function toRequest(values: WebhookValues): Omit<CreateWebhook, 'workspaceId'> {
  const { url, events, description, ordered, rateLimit } = values;
  const ids = values.resourceIds.split(/[\s,]+/).filter((id) => id !== '');
  const headers = values.headers
    .filter((row) => !isEmptyRow(row))
    .map(({ name, value }) => [name.trim(), value]);
  return {
    url: url.trim(),
    events,
    description,
    resourceIds: ids.length > 0 ? ids : null,
    headers: Object.fromEntries(headers) as Record<string, string>,
    rateLimit: rateLimit === '' ? null : rateLimit,
    ordered,
  };
}

const isEmptyRow = ({ name, value }: HeaderRow): boolean => name.trim() === '' && value === '';

/** Finds a header name that occurs in two rows. The request would silently leave out one of the two values. */
export function findRepeatedHeader(rows: readonly HeaderRow[]): string | undefined {
  const names = rows.filter((row) => !isEmptyRow(row)).map(({ name }) => name.trim().toLowerCase());
  return names.find((name, index) => names.indexOf(name) < index);
}

/** The values that a draft keeps. Header values may be credentials, so the draft contains only header names. */
export const withoutHeaderValues = (values: WebhookValues): WebhookValues => ({
  ...values,
  headers: values.headers.map(({ name }) => ({ name, value: '' })),
});

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const areEqual = (a: WebhookValues, b: WebhookValues): boolean => isEqual(a, b);

/**
 * Merges somebody else's changes to the webhook into the form: takes the current value of each field, except for fields
 * that the user has edited.
 *
 * @param base the values that the form showed before the user edited them.
 */
export function rebase(
  values: WebhookValues,
  base: WebhookValues,
  current: WebhookValues,
): WebhookValues {
  const fields = Object.keys(current) as (keyof WebhookValues)[];
  const entries = fields.map((field) => [
    field,
    isEqual(values[field], base[field]) ? current[field] : values[field],
  ]);
  return Object.fromEntries(entries) as WebhookValues;
}
