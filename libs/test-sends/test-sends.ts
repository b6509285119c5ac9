import { Inject, Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork } from '#database';
import { isOfKind } from '#documents';
import { DomainError } from '#errors';
import { isOverQuota, RateLimits } from '#limits';
import { Mailer, type SentEmail } from '#mail';
import { Rendering, type MergeData, type WaitingRequest } from '#rendering';
import {
  audit,
  authorise,
  callerColumns,
  joinMember,
  normalizeEmail,
  type Actor,
  type CallerRow,
} from '#workspaces';

export interface TestSendRequest {
  /** The email address of the recipient. */
  to: string;
  /** By default, the latest version. */
  version?: number | undefined;
  /** The language of the texts as a canonical tag. By default, the language of the document. */
  language?: string | undefined;
  /** By default, the sample data of the document. */
  data?: MergeData | undefined;
}

/** The slot of a request. The request gives its slot up while it waits for a thread or for the SMTP server. */
interface Slot extends WaitingRequest {
  readonly takeAgain: () => Promise<void>;
}

export const TEST_SEND_RECIPIENTS = Symbol('TEST_SEND_RECIPIENTS');

// $1 is the caller, $2 the template, $3 the address of the recipient. An address counts only while the identity
// provider says that it is verified. Otherwise, members could claim the address of anybody and send emails there.
const SELECT_RECIPIENT = `SELECT ${callerColumns('document.id')}, document.workspace_id AS "workspaceId",
    EXISTS (
      SELECT FROM users recipient
      JOIN workspace_members membership ON membership.user_id = recipient.id
      WHERE recipient.verified_email = $3 AND recipient.status = 'active'
        AND membership.workspace_id = document.workspace_id
    ) AS "isMember"
  FROM users caller
  LEFT JOIN documents document ON document.id = $2 AND ${isOfKind('document', 'template')}
  ${joinMember('document.workspace_id')}
  WHERE caller.id = $1`;

/** The largest number of allowed domains that an error names. */
const MAX_NAMED_DOMAINS = 10;

@Injectable()
export class TestSends {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly rendering: Rendering,
    private readonly rateLimits: RateLimits,
    private readonly mailer: Mailer,
    @Inject(TEST_SEND_RECIPIENTS) private readonly allowed: readonly string[],
  ) {}

  /**
   * Renders a version of a template and sends it to one address. Returns when the SMTP server has accepted the email.
   *
   * @throws DomainError `invalid` if the address is neither that of a member nor on the allow-list;
   * `too_many_requests` if the caller has sent too many test emails; and the errors of `Mailer` and `Rendering`.
   */
  async send(
    actor: Actor,
    templateId: string,
    { to, version, ...options }: TestSendRequest,
    slot: Slot,
  ): Promise<SentEmail> {
    const email = normalizeEmail(to);
    const workspaceId = await this.authorise(actor, templateId, email);
    const rendered = await this.rendering.renderEmail(actor, templateId, { version }, options, slot);
    await this.count(actor);
    await slot.takeAgain();
    // The entry commits before the email leaves, so no email is without an entry.
    await this.unitOfWork.write((transaction) => {
      const details = { email, version: rendered.version };
      const action = 'template.test_sent';
      audit(transaction, { actor, workspaceId, action, targetId: templateId, details });
      return Promise.resolve(noEvent(undefined, 'test emails have no events'));
    });
    slot.beginWait();
    const { html, text } = rendered;
    const subject = `[Test] ${rendered.subject}`;
    return this.mailer.send({ to: email, subject, html, text }, actor.userId);
  }

  /** @returns the workspace of the template. */
  private async authorise(actor: Actor, templateId: string, email: string): Promise<string> {
    const [row] = await this.database.query<CallerRow & { workspaceId: string; isMember: boolean }>(
      SELECT_RECIPIENT,
      [actor.userId, templateId, email],
    );
    const { workspaceId, isMember } = authorise(row, 'editor', 'template');
    this.mailer.requireConfigured();
    if (!isMember && !this.isAllowed(email)) throw DomainError.invalid('to', this.whoIsAllowed());
    return workspaceId;
  }

  private isAllowed(email: string): boolean {
    const address = email.toLowerCase();
    const domain = address.slice(address.lastIndexOf('@'));
    return this.allowed.includes(address) || this.allowed.includes(domain);
  }

  /** Names no single addresses of the allow-list, because they may belong to people outside of the workspace. */
  private whoIsAllowed(): string {
    const domains = this.allowed.filter((recipient) => recipient.startsWith('@'));
    const named = domains.slice(0, MAX_NAMED_DOMAINS).join(', ');
    const more = domains.length > MAX_NAMED_DOMAINS ? ' and others' : '';
    const alternative =
      named === '' ? '' : `, or an address of a domain that the operator allows (${named}${more})`;
    return `to must be the verified email address of an active member of the workspace${alternative}.`;
  }

  private async count({ userId }: Actor): Promise<void> {
    const [usage] = await this.rateLimits.consume({ 'test-sends': userId });
    if (usage === undefined || !isOverQuota(usage)) return;
    const seconds = Math.max(1, Math.ceil(usage.resetsInMs / 1_000));
    throw new DomainError(
      'too_many_requests',
      `Too many test emails: the limit is ${usage.policy.quota} an hour for each user or API key. Retry in ${seconds} seconds.`,
      undefined,
      { retryAfterSeconds: seconds },
    );
  }
}
