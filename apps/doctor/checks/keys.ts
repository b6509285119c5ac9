import type { DatabaseInspection } from '#database';
import { Encryption } from '#encryption';
import { countSecretsByKey } from '#webhooks';
import { findingsOn, plural, some, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';

const on = findingsOn('keys');

const TIME_LIMIT_MS = 3_000;

/** Whether the keys fit the stored secrets, and which earlier keys are still needed. Reads all webhooks. */
export async function checkKeys(
  database: DatabaseInspection,
  { SECRETS_KEY: key, SECRETS_KEYS_OLD: oldKeys = [] }: Configuration['values'],
): Promise<Finding[]> {
  if (key === undefined) return [on.skipped('SECRETS_KEY is not valid.')];
  const { counts, isComplete } = await countSecretsByKey(
    database.query,
    Date.now() + TIME_LIMIT_MS,
  );
  const idOf = (anyKey: Buffer) => new Encryption({ key: anyKey, oldKeys: [] }).keyId;
  const knownIds = [key, ...oldKeys].map(idOf);
  const unknownIds = [...counts.keys()].filter((id) => !knownIds.includes(id));
  const findings: Finding[] = [];
  if (unknownIds.length > 0) {
    const webhooks = unknownIds.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
    findings.push(
      on.problem(
        `Secrets of ${plural(webhooks, 'webhook')} were encrypted with a key that is not set (${some(unknownIds)}): set that SECRETS_KEY, or add it to SECRETS_KEYS_OLD.`,
      ),
    );
  }
  for (const [index, oldKey] of oldKeys.entries()) {
    const webhooks = counts.get(idOf(oldKey)) ?? 0;
    const name = `Key ${index + 1} of SECRETS_KEYS_OLD`;
    if (webhooks > 0) {
      findings.push(
        on.warning(
          `${name} is still needed by ${plural(webhooks, 'webhook')}; a worker encrypts their secrets again within an hour.`,
        ),
      );
    } else if (isComplete) {
      findings.push(
        on.ok(
          `No webhook needs ${name.replace('K', 'k')}: remove it a day after SECRETS_KEY changed.`,
        ),
      );
    }
  }
  if (!isComplete) {
    findings.push(on.warning('There are too many webhooks to look at all of their secrets.'));
  }
  return findings.length > 0 ? findings : [on.ok('SECRETS_KEY fits all stored secrets.')];
}
