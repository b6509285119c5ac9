import type { AuditEntry, Role } from '#client';
import { ROLES } from '../../api/values.js';
import { texts } from '../../texts.js';
import { nameOfWebhook } from '../../webhooks/webhook-format.js';
import { nameOfMember } from '../member-rules.js';
import type { ActorsAndTargets } from './audit-queries.js';
import { words } from './texts.js';

/** One detail of an entry; `from` is absent if the detail has only one value. */
export interface AuditDetail {
  label: string;
  from?: string;
  to: string;
}
/** The value of `details.by` if the operator of Galley made the change. */
export const OPERATOR = 'operator';

const LABELS: Record<string, string> = words.details;

/** Describes the action in a sentence without a subject: "Invited li@example.com". */
export const describeAction = (entry: AuditEntry, target: string): string =>
  // A newer API may send actions that this page does not know.
  (words.actions as Partial<typeof words.actions>)[entry.action]?.(target) ?? entry.action;

/**
 * The details that the sentence does not contain, such as the role, the expiry, or the values before and after a
 * change.
 */
export function detailsOf(
  { action, details }: AuditEntry,
  target: string | undefined,
): AuditDetail[] {
  if ('from' in details && 'to' in details) {
    const field = action === 'workspace.renamed' ? 'name' : 'role';
    return [{ label: LABELS[field] ?? field, ...change(field, details) }];
  }
  return Object.entries(details).flatMap(([field, value]) => {
    const label = LABELS[field];
    // The sentence already contains this value, unless the target was renamed later.
    const isInSentence = value === target || value === `https://${target}`;
    const isActor = field === 'by' && value === OPERATOR;
    if (label === undefined || isInSentence || isActor) return [];
    const isChange =
      typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
    return [{ label, ...(isChange ? change(field, value) : { to: format(field, value) }) }];
  });
}

const change = (field: string, { from, to }: { from?: unknown; to?: unknown }) => ({
  from: format(field, from),
  to: format(field, to),
});

function format(field: string, value: unknown): string {
  if (value === null && field === 'expiresAt') return words.never;
  if (value === null || value === undefined || value === '') return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.length === 0 ? words.none : value.join(', ');
  if (field === 'expiresAt' && typeof value === 'string') return value.slice(0, 10);
  if (typeof value !== 'string') return JSON.stringify(value);
  return field === 'role' && isRole(value) ? texts.roles[value].name : value;
}

/**
 * The names of targets, by target id. Most entries contain only the id of their target. Members, API keys and webhooks
 * have their current names. The name of a deleted target comes from the latest entry that contains a name.
 */
export function namesOfTargets(
  entries: readonly AuditEntry[],
  { members, keys, webhooks }: ActorsAndTargets,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // Iterates from the oldest entry to the newest, so that a later name replaces an earlier one.
  for (const { targetId, actor, details } of entries.toReversed()) {
    const { email, name, url, to } = details as Record<string, unknown>;
    const url_ = typeof url === 'object' && url !== null && 'to' in url ? url.to : url;
    const found = [email, name, url_, to].find((each) => typeof each === 'string' && each !== '');
    if (typeof found === 'string' && !isRole(found)) names.set(targetId, found);
    if (actor && (actor.name || actor.email)) names.set(actor.userId, actor.name || actor.email);
  }
  for (const member of members) {
    const name = nameOfMember(member);
    // A deleted user no longer has a name, so the name from an earlier entry is kept.
    if (name !== member.userId) names.set(member.userId, name);
  }
  for (const { id, name } of keys) names.set(id, name);
  for (const webhook of webhooks) names.set(webhook.id, nameOfWebhook(webhook));
  return names;
}

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
