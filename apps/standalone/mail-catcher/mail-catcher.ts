import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { isLoopbackUrl } from '../loopback.js';
import { catcherPage, HTML_HEADERS, type CaughtEmail } from './catcher-page.js';

const PATH = '/emails';
const MAX_EMAILS = 100;
const MAX_EMAIL_BYTES = 5 * 1024 * 1024;

export interface MailCatcher {
  /** The URL for `SMTP_URL`. */
  smtpUrl: string;
  /** The page that shows the emails. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts an SMTP server on the loopback address that accepts all emails and delivers none. A page shows the latest
 * emails, which are kept in memory.
 *
 * @param settingsUrl the target of the page's link to the settings area.
 */
export async function startMailCatcher(settingsUrl: string, port = 0): Promise<MailCatcher> {
  const emails: CaughtEmail[] = [];
  const smtpServer = new SMTPServer({
    name: 'mail-catcher',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_EMAIL_BYTES,
    // An open connection must not delay the end of Galley.
    closeTimeout: 500,
    logger: false,
    onData(stream, { envelope }, callback) {
      readEmail(stream).then(
        (email) => {
          emails.unshift({ ...email, to: envelope.rcptTo.map(({ address }) => address) });
          emails.splice(MAX_EMAILS);
          callback(null, `2.0.0 Ok: the mail catcher shows the email as ${email.id}`);
        },
        (error: unknown) => callback(error as Error),
      );
    },
  });
  // A client that disconnects is no reason to end Galley.
  smtpServer.on('error', () => undefined);
  await once(smtpServer.listen(0, '127.0.0.1'), 'listening');
  const pageServer = createServer().listen(port, '127.0.0.1');
  await once(pageServer, 'listening');
  const url = `http://127.0.0.1:${portOf(pageServer)}${PATH}`;

  pageServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const pathname = request.url?.split('?')[0];
    const email = emails.find(({ id }) => pathname === `${PATH}/${id}`);
    // Prevents DNS rebinding: a site whose name resolves to this machine must not read the emails.
    const isLocal = isLoopbackUrl(`http://${request.headers.host ?? ''}`);
    if (isLocal && request.method === 'GET' && pathname === PATH) {
      const { headers, html } = catcherPage({ path: PATH, settingsUrl }, emails);
      response.writeHead(200, headers).end(html);
    } else if (isLocal && request.method === 'GET' && email) {
      response.writeHead(200, HTML_HEADERS).end(email.html);
    } else {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The mail catcher is at ${url}`);
    }
  });
  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(smtpServer.server)}`,
    url,
    async stop() {
      pageServer.close();
      pageServer.closeAllConnections();
      await Promise.all([
        once(pageServer, 'close'),
        new Promise<void>((resolve) => smtpServer.close(resolve)),
      ]);
    },
  };
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** Reads the whole email, because a server that stops reading would leave its client waiting. */
async function readEmail(stream: AsyncIterable<Buffer>): Promise<Omit<CaughtEmail, 'to'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length <= MAX_EMAIL_BYTES) chunks.push(chunk);
  }
  if (length > MAX_EMAIL_BYTES) {
    throw Object.assign(new Error('5.3.4 The email has more than 5 MiB.'), { responseCode: 552 });
  }
  const {
    subject = '',
    html,
    text = '',
    headerLines,
  } = await simpleParser(Buffer.concat(chunks), {
    skipHtmlToText: true,
    skipTextToHtml: true,
  });
  return {
    id: randomUUID(),
    receivedAt: new Date(),
    subject,
    html: html || '',
    text,
    headers: headerLines.map(({ line }) => line).join('\n'),
  };
}
