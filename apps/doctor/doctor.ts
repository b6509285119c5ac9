import { setTimeout as delay } from 'node:timers/promises';
import { inspectEnvironment } from '#config';
import { checkConfiguration } from './checks/configuration.js';
import { checkDatabase } from './checks/database.js';
import { checkMail } from './checks/mail.js';
import { checkIssuer, checkProxy, checkWebhookUrl } from './checks/network.js';
import { checkQueue } from './checks/queue.js';
import { checkReplica } from './checks/replica.js';
import { findingsOn, type Finding } from './finding.js';

// Longer than the time limits within the checks, so that a check can report its own, more specific problem first.
const TIME_LIMIT_MS = 15_000;

/**
 * Runs all checks concurrently, each with a time limit. A failing check does not stop the others.
 * @param webhookUrls URLs that the operator wants to check before using them for webhooks.
 */
export async function examine(
  env: NodeJS.ProcessEnv,
  webhookUrls: readonly string[],
): Promise<Finding[]> {
  const configuration = inspectEnvironment(env);
  const { values } = configuration;
  const findings = await Promise.all([
    Promise.resolve(checkConfiguration(configuration, env)),
    withinLimit('database', checkDatabase(values)),
    withinLimit('queue', checkQueue(values)),
    withinLimit('replica', checkReplica(values)),
    withinLimit('issuer', checkIssuer(values)),
    withinLimit('proxy', checkProxy(values)),
    withinLimit('mail', checkMail(values)),
    ...webhookUrls.map((url) => withinLimit('webhook', checkWebhookUrl(url, values))),
  ]);
  return findings.flat();
}

async function withinLimit(subject: string, findings: Promise<Finding[]>): Promise<Finding[]> {
  const { problem } = findingsOn(subject);
  const timeout = delay(TIME_LIMIT_MS, [problem(`No result after ${TIME_LIMIT_MS / 1_000} s.`)], {
    ref: false,
  });
  return Promise.race([findings, timeout]).catch((error: unknown) => [
    problem(`The check failed: ${(error as Error).message}`),
  ]);
}
