import { DomainError } from '#errors';
import { oneLine } from './one-line.js';

/** The fields of an error of the SMTP client. */
interface SmtpError extends Error {
  code?: string;
  /** The SMTP command that failed, such as `RCPT TO`, or `CONN` for the connection. */
  command?: string;
  /** The reply of the server, such as `550 5.1.1 No such user`. */
  response?: string;
  responseCode?: number;
  /** The code of Node.js, such as `ECONNREFUSED`. */
  originalCode?: string;
}

// The codes of Node.js for certificates that it does not trust, and for peers that do not speak TLS.
const TLS_FAILURE = /CERT|SSL|TLS|SIGNATURE|EPROTO/;

// Greylisting refuses an email for one to five minutes (RFC 6647, section 4.5).
const REFUSED_FOR_NOW_RETRY_S = 300;
// More than a minute, because the TypeScript client waits for up to a minute and then repeats the request by itself. A
// person should see the failure instead, and an email that seemed to fail may have been sent.
const FAILED_RETRY_S = 120;

const MAX_REPLY_LENGTH = 300;

/**
 * Turns an error of the SMTP client into an error for the caller. The replies to a login are not shown, because a reply
 * may repeat what Galley has sent.
 */
export function toDomainError(error: unknown): Error {
  if (!isSmtpError(error)) return error as Error;
  const { code, originalCode = '', command = '', response = '', responseCode = 0 } = error;
  if (code === 'EABORT' || code === 'ETIMEDOUT') return failed(TOO_SLOW);
  if (code === 'EAUTH' || command.startsWith('AUTH')) return failed(LOGIN_REFUSED);
  if (code === 'ETLS' || command === 'STARTTLS' || TLS_FAILURE.test(originalCode)) {
    return failed(NO_TLS);
  }
  const reply = cleanReply(response);
  if (responseCode >= 500) {
    return DomainError.conflict(`The mail server refused the email: ${reply}`);
  }
  if (responseCode >= 400) {
    const minutes = REFUSED_FOR_NOW_RETRY_S / 60;
    return unavailable(
      `The mail server refused the email for now: ${withFullStop(reply)} Retry in ${minutes} minutes.`,
      REFUSED_FOR_NOW_RETRY_S,
    );
  }
  if (code === 'EMESSAGE' && command === 'MAIL FROM') return DomainError.conflict(TOO_LARGE);
  return failed(UNREACHABLE);
}

const TOO_SLOW =
  'The mail server did not respond in time, so the email may or may not arrive. Retry in two minutes.';
const LOGIN_REFUSED =
  'The mail server did not accept the login of Galley. The operator of Galley must correct SMTP_URL.';
const NO_TLS =
  'Galley could not encrypt its connection to the mail server. The operator of Galley must correct SMTP_URL or the certificate of the server.';
const UNREACHABLE =
  'The connection to the mail server failed. Retry in two minutes; if that does not help, tell the operator of Galley.';
const TOO_LARGE = 'The email is larger than the mail server accepts.';

const unavailable = (message: string, retryAfterSeconds: number) =>
  new DomainError('unavailable', message, undefined, { retryAfterSeconds });
const failed = (message: string) => unavailable(message, FAILED_RETRY_S);

// Errors in the code of Galley have no command.
const isSmtpError = (error: unknown): error is SmtpError =>
  error instanceof Error && ('command' in error || (error as SmtpError).code === 'EABORT');

/** Puts a reply of the server on one line, and shortens it. */
export const cleanReply = (reply: string): string => oneLine(reply, MAX_REPLY_LENGTH);

const withFullStop = (sentence: string): string =>
  /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;

/** Says what failed, without the replies of the server and without the message, which may contain addresses. */
export function describeForLog(error: unknown): string {
  if (!isSmtpError(error)) return error instanceof Error ? error.name : 'unknown';
  const { code, originalCode, command, responseCode } = error;
  return [code, originalCode, command, responseCode].filter(Boolean).join(' ');
}
