import { expect, test } from '@jest/globals';
import { isPortOfSampleReceiver, receiverCommand } from './receiver-command.js';

test.each([
  ['http://127.0.0.1:4000', 'WEBHOOK_SECRET=whsec_a npm run receiver'],
  ['http://localhost:4010/webhooks', 'PORT=4010 WEBHOOK_SECRET=whsec_a npm run receiver'],
  ['https://hooks.example.com:8443/galley', 'WEBHOOK_SECRET=whsec_a npm run receiver'],
])('The sample subscriber listens on the port of the webhook %s', (url, command) => {
  expect(receiverCommand(url, 'whsec_a')).toBe(command);
});

test.each([
  ['http://127.0.0.1:4001/sample-receiver', true],
  ['http://localhost:4001/webhooks', true],
  ['http://localhost:4000/webhooks', false],
  ['https://hooks.example.com:4001/galley', false],
])('The webhook %s uses the port of the sample receiver: %s', (url, isTaken) => {
  expect(isPortOfSampleReceiver(url, 'http://127.0.0.1:4001/sample-receiver')).toBe(isTaken);
});
