import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { printError } from '../../terminal.js';
import { isUnreported, type DevelopmentUser, type DevelopmentUsers } from './development-users.js';

export interface UserMessagesOptions {
  /** The URL of Galley's `/api/auth/webhook`. */
  url: string;
  /** The secret that signs the messages: `whsec_…`. */
  secret: string;
  /** The pauses before the retries. A message is retried once for each pause. */
  backOffMs?: number[];
}

// The pauses add up to about a minute. Galley always starts in less time.
const BACK_OFF_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const ATTEMPT_TIMEOUT_MS = 10_000;

/**
 * Notifies Galley of each change to a user, in Clerk's message and signature format. Messages about the same user are
 * sent one after another. If all attempts fail, the current state of the user is sent with the next change to the user,
 * and at the next start.
 */
export class UserMessages {
  readonly #users: DevelopmentUsers;
  readonly #url: string;
  readonly #webhook: Webhook;
  readonly #backOffMs: number[];
  readonly #stop = new AbortController();
  /** Reports in progress, keyed by the user's subject. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(users: DevelopmentUsers, options: UserMessagesOptions) {
    this.#users = users;
    this.#url = options.url;
    this.#webhook = new Webhook(options.secret);
    this.#backOffMs = options.backOffMs ?? BACK_OFF_MS;
    users.onChange((user) => this.#report(user));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  /** Returns immediately. If a report for the user is already running, that report also sends this change. */
  #report(user: DevelopmentUser): void {
    if (this.#running.has(user.subject) || !isUnreported(user)) return;
    const report = this.#reportChanges(user).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) printFailure(user, error);
    });
    this.#running.set(user.subject, report);
  }

  async #reportChanges(user: DevelopmentUser): Promise<void> {
    try {
      while (isUnreported(user)) {
        const { updatedAt } = user;
        await this.#send(JSON.stringify(toClerkMessage(user)));
        await this.#users.markReported(user, updatedAt);
      }
    } finally {
      this.#running.delete(user.subject);
    }
  }

  /** @throws the error of the last attempt. */
  async #send(body: string): Promise<void> {
    const id = `msg_${randomUUID()}`;
    for (const pause of this.#backOffMs) {
      try {
        await this.#attempt(id, body);
        return;
      } catch {
        await sleep(pause, undefined, { signal: this.#stop.signal });
      }
    }
    await this.#attempt(id, body);
  }

  async #attempt(id: string, body: string): Promise<void> {
    const now = new Date();
    const response = await fetch(this.#url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'svix-id': id,
        'svix-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'svix-signature': this.#webhook.sign(id, now, body),
      },
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
  }
}

function toClerkMessage(user: DevelopmentUser) {
  const { subject, email, isDeleted, reportedAt, updatedAt } = user;
  const emailId = `idn_${subject}`;
  const event = isDeleted ? 'deleted' : reportedAt === undefined ? 'created' : 'updated';
  return {
    type: `user.${event}`,
    object: 'event',
    timestamp: updatedAt,
    data: isDeleted
      ? { id: subject, deleted: true, object: 'user' }
      : {
          id: subject,
          object: 'user',
          email_addresses: [
            {
              id: emailId,
              object: 'email_address',
              email_address: email,
              verification: { status: 'verified' },
            },
          ],
          primary_email_address_id: emailId,
          first_name: user.firstName,
          last_name: user.lastName,
          banned: false,
          created_at: user.createdAt,
          updated_at: updatedAt,
        },
  };
}

function printFailure({ email }: DevelopmentUser, error: unknown): void {
  // The error of `fetch` says only "fetch failed". Its cause has the reason.
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  printError(
    `Galley did not receive the latest change of the user ${email} (${reason}). The change is sent again when the user changes next, and when Galley starts next.`,
  );
}
