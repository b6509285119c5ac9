import { countSigningKeys } from '#identity';
import { findProxyProblem, inspectUrl } from '#webhooks';
import { findingsOn, plural, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';

type Values = Configuration['values'];

export async function checkIssuer({
  AUTH_ISSUER: issuer,
  AUTH_JWKS_URI: jwksUri,
}: Values): Promise<Finding[]> {
  const on = findingsOn('issuer');
  if (issuer === undefined && jwksUri === undefined) return [on.skipped('No issuer is set.')];
  const source = jwksUri === undefined ? 'AUTH_ISSUER' : 'AUTH_JWKS_URI';
  try {
    const count = await countSigningKeys({
      ...(issuer !== undefined && { issuer }),
      ...(jwksUri !== undefined && { jwksUri }),
    });
    return count > 0
      ? [on.ok(`${source} provides ${plural(count, 'signing key')}.`)]
      : [on.problem(`${source} provides an empty set of keys, so every token is refused.`)];
  } catch (error) {
    // The error of `fetch` says only "fetch failed". Its cause has the reason.
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const detail = cause?.message || cause?.code;
    const reason = detail === undefined ? message : `${message}: ${detail}`;
    return [
      on.problem(
        `The signing keys cannot be fetched (${reason}): check ${source}, and whether this machine can connect to the identity provider.`,
      ),
    ];
  }
}

export async function checkProxy({ WEBHOOK_PROXY_URL: url }: Values): Promise<Finding[]> {
  if (url === undefined) return [];
  const on = findingsOn('proxy');
  const problem = await findProxyProblem(url);
  return problem === undefined
    ? [on.ok('The proxy of WEBHOOK_PROXY_URL accepts connections.')]
    : [on.problem(problem)];
}

/** Checks whether a webhook may have this URL. If not, the finding names the rule that forbids the URL. */
export async function checkWebhookUrl(text: string, values: Values): Promise<Finding[]> {
  // The finding contains only the URL's host, because the path and the query may contain a secret.
  const on = findingsOn(`webhook ${URL.parse(text)?.hostname ?? ''}`.trim());
  const { NODE_ENV, WEBHOOK_ALLOWED_PORTS, WEBHOOK_ALLOWED_RANGES, WEBHOOK_PROXY_URL } = values;
  const hasProxy = WEBHOOK_PROXY_URL !== undefined;
  const { problem, addresses } = await inspectUrl(text, {
    allowHttp: NODE_ENV !== undefined && NODE_ENV !== 'production',
    allowedPorts: WEBHOOK_ALLOWED_PORTS ?? [],
    allowedRanges: WEBHOOK_ALLOWED_RANGES ?? [],
    hasProxy,
  });
  const findings = problem === undefined ? [] : [on.problem(`${problem}.`)];
  const allowed = addresses.filter(({ refusal }) => refusal === undefined);
  for (const { address, refusal } of addresses) {
    if (refusal === undefined) continue;
    const refused = `${address} is ${refusal}: Galley sends no notifications there unless WEBHOOK_ALLOWED_RANGES contains it.`;
    findings.push(allowed.length > 0 ? on.warning(refused) : on.problem(refused));
  }
  if (problem !== undefined || (addresses.length > 0 && allowed.length === 0)) return findings;
  const target = hasProxy
    ? 'the proxy decides whether the IP address is allowed'
    : allowed.map(({ address }) => address).join(', ');
  return [...findings, on.ok(`The URL is accepted (${target}).`)];
}
