import type { AuditEntry } from '#client';
import { shortId } from '../../controls/format.js';
import type { ActorsAndTargets } from './audit-queries.js';
import { words } from './texts.js';

type Actor = NonNullable<AuditEntry['actor']>;
type Option = { value: string; label: string };

/** A deleted user no longer has a name or an email address, so the end of the id replaces the name. */
export const nameOfActor = ({ name, email, userId }: Omit<Actor, 'kind'>): string =>
  name || email || words.deletedUser(shortId(userId));

/**
 * The options of the actor filter: all current members and API keys, and all other actors of the entries. The selected
 * actor is always an option.
 */
export function actorOptions(
  { members, keys }: Omit<ActorsAndTargets, 'webhooks'>,
  entries: readonly AuditEntry[],
  selectedId: string | undefined,
): { group: string; items: Option[] }[] {
  const { groups } = words.filters;
  const present = [
    {
      group: groups.members,
      // Invited users have never signed in, so they are not actors.
      items: members.filter(({ status }) => status !== 'invited').map(optionOfMember),
    },
    {
      group: groups.keys,
      items: keys.map(({ userId, name }) => ({ value: userId, label: name })),
    },
  ];
  const presentIds = new Set(present.flatMap(({ items }) => items.map(({ value }) => value)));
  const former = new Map<string, string>();
  for (const { actor } of entries) {
    if (actor && !presentIds.has(actor.userId)) former.set(actor.userId, labelOfFormer(actor));
  }
  if (selectedId !== undefined && !presentIds.has(selectedId) && !former.has(selectedId)) {
    former.set(selectedId, words.unknownActor(shortId(selectedId)));
  }
  const items = [...former].map(([value, label]) => ({ value, label }));
  return [...present, { group: groups.former, items }].filter((group) => group.items.length > 0);
}

const optionOfMember = (member: ActorsAndTargets['members'][number]): Option => ({
  value: member.userId,
  label: nameOfActor({ ...member, name: `${member.firstName} ${member.lastName}`.trim() }),
});

const labelOfFormer = (actor: Actor): string =>
  actor.kind === 'key' ? `${nameOfActor(actor)} (${words.apiKey})` : nameOfActor(actor);
