import { setImmediate as nextTurn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#errors';
import { FairQueue, type Ticket } from '#fair-queue';
import { createTransport } from 'nodemailer';
import { oneLine } from './one-line.js';
import { MAX_CONCURRENT, sendWaits } from './send-waits.js';
import { cleanReply, describeForLog, toDomainError } from './smtp-errors.js';

// From the connection to the last reply. A person waits for the result, and proxies end requests after 30 to 60
// seconds.
const DEADLINE_MS = 10_000;

// The longest name of a template.
const MAX_SUBJECT_LENGTH = 255;

// Encoding this many characters takes about 2 ms.
const CHARACTERS_BETWEEN_CHECKPOINTS = 16_000;

/** The operator's SMTP server, from `SMTP_URL`. */
interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection begins with TLS. Other connections use STARTTLS if the server offers it. */
  isTls: boolean;
  login?: { user: string; password: string } | undefined;
}

export interface MailOptions {
  /** Undefined if the operator has set no `SMTP_URL`. */
  server: SmtpServer | undefined;
  /** The sender of all emails. */
  from: { name: string; address: string } | undefined;
}

export const MAIL_OPTIONS = Symbol('MAIL_OPTIONS');

/** An email with two alternatives. */
interface Email {
  /** The email address of the recipient. */
  to: string;
  subject: string;
  html: string;
  text: string;
}

export interface SentEmail {
  /** The addresses that the SMTP server has accepted. */
  accepted: string[];
  /** The last reply of the SMTP server, on one line. */
  response: string;
  /** The `Message-ID` header of the email. */
  messageId: string;
}

/**
 * Sends emails, each through a connection of its own, at most `MAX_CONCURRENT` at the same time. An SMTP server that
 * hangs therefore holds only a few requests and connections.
 */
@Injectable()
export class Mailer {
  private readonly logger = new Logger('Mail');
  private readonly queue = new FairQueue(MAX_CONCURRENT, sendWaits);
  private readonly transport: ReturnType<typeof transportTo> | undefined;

  constructor(@Inject(MAIL_OPTIONS) { server, from }: MailOptions) {
    if (server && from) this.transport = transportTo(server, from);
  }

  /** @throws DomainError `conflict` if the operator has configured no SMTP server. */
  requireConfigured(): NonNullable<typeof this.transport> {
    if (this.transport === undefined) throw DomainError.conflict(NOT_CONFIGURED);
    return this.transport;
  }

  /**
   * Sends an email, and returns when the SMTP server has accepted it.
   *
   * @param callerKey the user or API key for which the email is sent. Callers share the connections fairly.
   * @throws DomainError `conflict` if the server refuses the email, or if there is no server; `unavailable` if the
   * server refuses the email for now, fails or is too slow; `too_many_requests` if the caller sends too many emails at
   * the same time.
   */
  async send(email: Email, callerKey: string): Promise<SentEmail> {
    const transport = this.requireConfigured();
    const ticket = await this.enter(callerKey);
    try {
      const { accepted, response, messageId } = await transport.sendMail({
        to: { name: '', address: email.to },
        // A line break would begin another header.
        subject: oneLine(email.subject, MAX_SUBJECT_LENGTH),
        text: inSlices(email.text),
        html: inSlices(email.html),
        // Asks programs such as an out-of-office responder not to answer (RFC 3834, section 5).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      return { accepted, response: cleanReply(response), messageId };
    } catch (error) {
      this.logger.warn({ stage: 'send email', problem: describeForLog(error) });
      throw toDomainError(error);
    } finally {
      this.queue.leave(ticket);
    }
  }

  /**
   * Connects to the server and logs in, without sending an email.
   *
   * @returns the step and the code of a failure, without replies of the server; undefined if nothing failed.
   */
  async findConnectionProblem(): Promise<string | undefined> {
    try {
      await this.requireConfigured().verify();
      return undefined;
    } catch (error) {
      return describeForLog(error);
    }
  }

  private enter(callerKey: string): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      this.queue.enter(callerKey, (ticket, refusal) =>
        refusal === undefined ? resolve(ticket) : reject(refusal),
      );
    });
  }
}

const NOT_CONFIGURED =
  'This Galley sends no emails: its operator must set SMTP_URL and MAIL_FROM first.';

function transportTo(server: SmtpServer, from: NonNullable<MailOptions['from']>) {
  const { host, port, isTls, login } = server;
  return createTransport(
    {
      host,
      port,
      secure: isTls,
      // Without this option, somebody on the network could remove STARTTLS from the replies and read the password.
      requireTLS: login !== undefined && !isTls,
      ...(login && { auth: { user: login.user, pass: login.password } }),
      dnsTimeout: DEADLINE_MS,
      connectionTimeout: DEADLINE_MS,
      greetingTimeout: DEADLINE_MS,
      socketTimeout: DEADLINE_MS,
      socketCloseTimeout: 1_000,
      maxResponseSize: 64 * 1024,
      // Texts of emails are never paths or URLs to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}

/** Lets other requests run while the SMTP client encodes a long text. */
const inSlices = (text: string): Readable => Readable.from(slicesOf(text));

async function* slicesOf(text: string): AsyncGenerator<Buffer> {
  let start = 0;
  while (start < text.length) {
    let end = start + CHARACTERS_BETWEEN_CHECKPOINTS;
    // A slice must not split a surrogate pair, because half of a pair is not a character in UTF-8.
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end++;
    yield Buffer.from(text.slice(start, end));
    start = end;
    await nextTurn();
  }
}
