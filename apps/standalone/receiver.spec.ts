import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { probePort } from './ports.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const receiverPath = join(import.meta.dirname, 'receiver.ts');
const body =
  '{"event":"template.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":"7"}}';

let receiver: ChildProcessByStdio<null, Readable, null>;
let url: string;
let output: string;

async function waitForOutput(text: string): Promise<void> {
  while (!output.includes(text)) {
    await once(receiver.stdout, 'data');
  }
}

const post = (signature: string, content = body): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: content,
    headers: {
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': signature,
    },
  });

beforeEach(async () => {
  const port = await probePort(0);
  url = `http://127.0.0.1:${port}`;
  output = '';
  receiver = spawn(process.execPath, [receiverPath], {
    env: { PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await waitForOutput('Waiting for notifications');
});

afterEach(async () => {
  receiver.kill('SIGINT');
  const [code] = (await once(receiver, 'exit')) as [number | null];
  expect(code).toBe(0);
});

test('the receiver prints a notification that is signed with its secret', async () => {
  const response = await post(new Webhook(secret).sign('one', new Date(), body));
  expect(response.status).toBe(204);
  await waitForOutput("template.created { id: '7' }");
});

test('the receiver refuses a notification that is signed with another secret', async () => {
  const otherWebhook = new Webhook(randomBytes(32).toString('base64'));
  const response = await post(otherWebhook.sign('one', new Date(), body));
  expect(response.status).toBe(401);
  await waitForOutput('refused: No matching signature found');
});

test('the receiver refuses a body of more than 1 MiB', async () => {
  const response = await post('v1,unread', 'x'.repeat(1024 * 1024 + 1));
  expect(response.status).toBe(413);
});
