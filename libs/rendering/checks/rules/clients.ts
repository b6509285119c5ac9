import { clientsWithout } from '../clients/client-support.js';
import { features, type Feature } from '../clients/features.js';
import type { Email } from '../email/email.js';
import { defineRules, type Found } from '../rule.js';

// In a longer list, readers would overlook the best-known mail clients.
const MAX_CLIENTS = 5;

export const clientRules = defineRules([
  {
    name: 'image-format',
    severity: 'warning',
    help: 'Use PNG, JPEG or GIF, which all mail clients show.',
    find: (email) =>
      findUses(email, 'picture', (name) => `Pictures in the ${name} format are not shown by`),
  },
  {
    name: 'style-unsupported',
    severity: 'info',
    help: 'Avoid this feature, or check that the email is still readable in these mail clients.',
    find: (email) => findUses(email, 'style', (name) => `${name} has no effect in`),
  },
]);

/** Yields one finding for each feature, at the first place that uses the feature. */
function* findUses(
  email: Email,
  kind: Feature['kind'],
  begin: (name: string) => string,
): Generator<Found> {
  for (const { slug, name, usedAt } of features.filter((feature) => feature.kind === kind)) {
    const [first, ...others] = usedAt(email);
    const clients = clientsWithout[slug] ?? [];
    if (first === undefined || clients.length === 0) continue;
    const uses =
      others.length === 0 ? '' : ` There are ${others.length + 1} such places in the email.`;
    yield { place: first, message: `${begin(name)} ${listOf(clients)}.${uses}` };
  }
}

function listOf(clients: readonly string[]): string {
  const listed = clients.slice(0, MAX_CLIENTS).join(', ');
  const rest = clients.length - MAX_CLIENTS;
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}
