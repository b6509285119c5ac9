/**
 * A sample subscriber that verifies and prints the notifications it receives:
 * WEBHOOK_SECRET=whsec_… npm run receiver
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { inspect, styleText } from 'node:util';
import { Webhook } from 'standardwebhooks';

const MAX_BODY_BYTES = 1024 * 1024;

const port = Number(process.env['PORT'] || 4000);
const secret = process.env['WEBHOOK_SECRET'];
if (secret === undefined || !/^whsec_[A-Za-z\d+/]+={0,2}$/.test(secret)) {
  exitWithError(
    'Set WEBHOOK_SECRET to the secret (whsec_…) that Galley returned when the webhook was created.',
  );
}
const webhook = new Webhook(secret);

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      print('red', `failed: ${inspect(error)}`);
      response.writeHead(500).end();
    },
  );
});
server.on('error', (error) =>
  exitWithError(`Cannot listen on port ${port} (${error.message}): set PORT to another port.`),
);
server.listen(port, '127.0.0.1', () =>
  print('green', `Waiting for notifications on http://127.0.0.1:${port} (press Ctrl-C to stop)`),
);
process.once('SIGINT', () => process.exit(0));

/**
 * Returns the status of the response. A status from 200 to 299 acknowledges the notification. After any other status,
 * Galley sends the notification again later.
 */
async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') {
    return 405;
  }
  const body = await readBody(request);
  if (body === undefined) {
    return 413;
  }
  try {
    // The signature covers the bytes as they arrived. Parsing and re-serialising the JSON would change them.
    webhook.verify(body, request.headers as Record<string, string>);
  } catch (error) {
    print('red', `refused: ${error instanceof Error ? error.message : String(error)}`);
    return 401;
  }
  const { event, timestamp, data } = JSON.parse(body) as Record<string, unknown>;
  // A real subscriber must process each `webhook-id` only once, because a notification may arrive twice.
  print(
    'green',
    `${String(timestamp)} ${String(event)} ${inspect(data, { breakLength: Infinity })}`,
  );
  return 204;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MAX_BODY_BYTES) {
      return undefined;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function print(colour: 'green' | 'red', line: string): void {
  process.stdout.write(`${styleText(colour, line, { stream: process.stdout })}\n`);
}

function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
