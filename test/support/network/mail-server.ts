import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

interface ReceivedEmail {
  /** The envelope, which decides where the email goes. */
  from: string;
  to: string[];
  /** Whether the connection had TLS. */
  isTls: boolean;
  user: string | undefined;
  email: ParsedMail;
  /** The headers as they were sent. */
  headers: string;
}

/** Accepts an email, refuses it with a reply, says nothing, or closes the connection. */
type Behaviour = 'accept' | 'silence' | 'hang-up' | { code: number; text: string };

interface Options {
  /** Offers STARTTLS with this certificate. */
  certificate?: { cert: string; key: string };
  /** Requires a login with this user and password. */
  login?: { user: string; password: string };
}

/** A real SMTP server. */
export class MailServer {
  readonly received: ReceivedEmail[] = [];
  /** How the server behaves when a client names the recipient, or when it has sent the email. */
  behaviour: { at: 'recipient' | 'end'; as: Behaviour } = { at: 'recipient', as: 'accept' };
  /** The number of logins that were tried, with whatever password. */
  logins = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  static async start({ certificate, login }: Options = {}): Promise<MailServer> {
    const disabledCommands = [...(certificate ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])];
    const server: SMTPServer = new SMTPServer({
      ...certificate,
      disabledCommands,
      authOptional: login === undefined,
      allowInsecureAuth: true,
      closeTimeout: 100,
      logger: false,
      onAuth({ username, password }, _session, callback) {
        mailServer.logins++;
        if (username === login?.user && password === login?.password) {
          callback(null, { user: username });
        } else {
          // Some servers repeat what they were sent.
          callback(Object.assign(new Error(`No: ${username} ${password}`), { responseCode: 535 }));
        }
      },
      onRcptTo(_address, _session, callback) {
        mailServer.behave('recipient', callback);
      },
      onData(stream, { envelope, secure, user }, callback) {
        void (async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk as Buffer);
          const raw = Buffer.concat(chunks);
          mailServer.behave('end', (error) => {
            if (error) callback(error);
            else {
              void simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true }).then(
                (email) => {
                  const { mailFrom, rcptTo } = envelope;
                  mailServer.received.push({
                    from: mailFrom ? mailFrom.address : '',
                    to: rcptTo.map(({ address }) => address),
                    isTls: secure,
                    user: user as string | undefined,
                    email,
                    headers: raw.toString().split('\r\n\r\n')[0] ?? '',
                  });
                  callback(null, '2.0.0 Ok: queued as 4711');
                },
              );
            }
          });
        })();
      },
    });
    // Clients of these tests cut their connections.
    server.on('error', () => undefined);
    server.server.on('connection', (socket: Socket) => {
      mailServer.sockets.add(socket);
      socket.on('close', () => mailServer.sockets.delete(socket));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const mailServer = new MailServer(server, (server.server.address() as AddressInfo).port);
    return mailServer;
  }

  get connections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private behave(at: 'recipient' | 'end', proceed: (error?: Error) => void): void {
    const as = this.behaviour.at === at ? this.behaviour.as : 'accept';
    if (as === 'accept') proceed();
    else if (as === 'hang-up') for (const socket of this.sockets) socket.destroy();
    else if (as !== 'silence') {
      proceed(Object.assign(new Error(as.text), { responseCode: as.code }));
    }
  }
}
