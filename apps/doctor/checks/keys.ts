import type { DatabaseInspection } from '#database';
import { computeKeyId } from '#encryption';
import { inspectKeys, type RunningProgram, type StoredKey } from '#key-rotation';
import { countSecretsByKey } from '#webhooks';
import { findingsOn, plural, listFirst, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';

const on = findingsOn('keys');

const TIME_LIMIT_MS = 3_000;
// Stored responses and cursors expire after a day. Until then, they need the key that encrypted them.
const DAY_S = 24 * 60 * 60;
const HOUR_S = 60 * 60;

/**
 * Checks that SECRETS_KEYS has every key that is still needed, and finds keys that can be removed. Reads all webhooks,
 * and stops after `TIME_LIMIT_MS`.
 */
export async function checkKeys(
  database: DatabaseInspection,
  { SECRETS_KEYS: secretsKeys }: Configuration['values'],
): Promise<Finding[]> {
  if (secretsKeys === undefined) return [on.skipped('SECRETS_KEYS is not valid.')];
  const ids = secretsKeys.map(computeKeyId);
  const { keys, programs } = await inspectKeys(database.query);
  const { counts, isComplete } = await countSecretsByKey(
    database.query,
    Date.now() + TIME_LIMIT_MS,
  );
  const findings = [
    ...findMissing(ids, keys, counts),
    ...findRemovedEarly(ids, keys),
    ...findWaiting(ids, keys, programs),
    ...describeOldKeys(ids, keys, counts),
  ];
  if (!isComplete) {
    findings.push(
      on.warning(
        'Some secrets were not checked, because there are too many webhooks to check them all in time.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [on.ok('SECRETS_KEYS contains every key that the stored secrets need.')];
}

function findMissing(
  ids: readonly string[],
  keys: readonly StoredKey[],
  counts: ReadonlyMap<string, number>,
): Finding[] {
  const needed = keys.filter(({ state }) => state !== 'retired').map(({ id }) => id);
  const missing = [...new Set([...counts.keys(), ...needed])].filter((id) => !ids.includes(id));
  if (missing.length === 0) return [];
  const webhooks = missing.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  const lacked =
    webhooks > 0 ? `a key that the secrets of ${plural(webhooks, 'webhook')} need` : 'a key in use';
  const active = keys.find(({ state }) => state === 'active');
  const advice = missing.includes(active?.id ?? '')
    ? `add the key that encrypts new values (${active?.id}), and put it first, unless you want key 1 to replace it`
    : 'add that key to the end of SECRETS_KEYS';
  return [on.problem(`SECRETS_KEYS lacks ${lacked} (${listFirst(missing)}): ${advice}.`)];
}

function findRemovedEarly(ids: readonly string[], keys: readonly StoredKey[]): Finding[] {
  return keys
    .filter((key) => key.state === 'retired' && !ids.includes(key.id) && remainingSeconds(key) > 0)
    .map((key) =>
      on.warning(
        `SECRETS_KEYS lacks key ${key.id}, which stored responses and cursors need for another ${inHours(key)}: put the key at the end of SECRETS_KEYS for that time. Without the key, repeated requests get 409, and requests with an earlier cursor get 400.`,
      ),
    );
}

/** How long stored responses and cursors may still need a key that no webhook needs any more. */
const remainingSeconds = ({ changedSecondsAgo }: StoredKey): number => DAY_S - changedSecondsAgo;
const inHours = (key: StoredKey): string =>
  plural(Math.ceil(remainingSeconds(key) / HOUR_S), 'hour');

/** Reports a key rotation that cannot finish yet, because not all programs have the same first key. */
function findWaiting(
  [firstId = '']: readonly string[],
  keys: readonly StoredKey[],
  programs: readonly RunningProgram[],
): Finding[] {
  const active = keys.find(({ state }) => state === 'active');
  if (active === undefined) return [];
  const others = programs.filter(({ keyIds }) => keyIds[0] !== firstId);
  if (active.id === firstId) {
    const newIds = [...new Set(others.map(({ keyIds }) => keyIds[0] ?? ''))];
    if (newIds.length === 0) return [];
    return [
      on.warning(
        `${plural(others.length, 'running program')} ${others.length === 1 ? 'has' : 'have'} a different first key in SECRETS_KEYS (${listFirst(newIds)}). A new key encrypts values only when it is the first key of all programs: use the same SECRETS_KEYS here.`,
      ),
    ];
  }
  if (keys.some(({ id }) => id === firstId)) {
    return [
      on.warning(
        `Key 1 of SECRETS_KEYS (${firstId}) is an earlier key, and key ${active.id} encrypts new values: put key ${active.id} first here. If you are going back to key 1 on purpose, restart all programs with this list instead.`,
      ),
    ];
  }
  if (others.length === 0) {
    return [
      on.warning(
        `Key 1 of SECRETS_KEYS (${firstId}) does not encrypt new values yet: start the programs with this SECRETS_KEYS.`,
      ),
    ];
  }
  const names = others.map(({ program, host }) => `${program} on ${host}`);
  return [
    on.warning(
      `Key 1 of SECRETS_KEYS (${firstId}) does not encrypt new values yet, because ${plural(others.length, 'running program')} ${others.length === 1 ? 'does' : 'do'} not list it first (${listFirst(names)}): restart all programs with the new list. A program that was killed counts as running for two minutes.`,
    ),
  ];
}

const describeOldKeys = (
  ids: readonly string[],
  keys: readonly StoredKey[],
  counts: ReadonlyMap<string, number>,
): Finding[] =>
  ids.slice(1).map((id, index) => {
    const stored = keys.find((key) => key.id === id);
    const webhooks = counts.get(id) ?? 0;
    const name = `Key ${index + 2} of SECRETS_KEYS (${id})`;
    if (stored?.state === 'active') return on.ok(`${name} encrypts new values.`);
    if (webhooks > 0) {
      return on.warning(
        `${name} is still needed by ${plural(webhooks, 'webhook')}: keep it until a worker has encrypted the secrets again with the new key.`,
      );
    }
    if (stored !== undefined && stored.state !== 'retired') {
      return on.warning(
        `${name} is still needed, because no worker has checked all webhooks yet: keep it.`,
      );
    }
    if (stored !== undefined && remainingSeconds(stored) > 0) {
      return on.warning(
        `No webhook needs ${name.replace('K', 'k')}, but stored responses and cursors need it for another ${inHours(stored)}. Remove it after that.`,
      );
    }
    // The database lists every key that has ever encrypted a value. The new key of a rotation is missing from the
    // database until the programs have started with that key.
    if (stored === undefined) {
      return on.warning(
        `${name} has never encrypted anything: put it first if it is the new key of a rotation, and remove it otherwise.`,
      );
    }
    return on.ok(`Nothing needs ${name.replace('K', 'k')}: remove it.`);
  });
