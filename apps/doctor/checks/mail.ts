import { Mailer } from '#mail';
import { findingsOn, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';

/** Connects to the SMTP server and logs in, without sending an email. */
export async function checkMail({
  SMTP_URL: server,
  MAIL_FROM: from,
}: Configuration['values']): Promise<Finding[]> {
  // Galley needs no SMTP server, and `checkConfiguration` reports a missing sender.
  if (server === undefined || from === undefined) return [];
  const on = findingsOn('mail');
  const problem = await new Mailer({ server, from }).findConnectionProblem();
  const address = `${server.host}:${server.port}`;
  if (problem === undefined) return [on.ok(`The SMTP server ${address} accepts the login.`)];
  return [
    on.problem(
      `The SMTP server ${address} cannot be used (${problem}): check SMTP_URL, and whether this machine can connect to the server.`,
    ),
  ];
}
