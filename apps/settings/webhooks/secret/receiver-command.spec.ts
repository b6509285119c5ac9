import { expect, test } from '@jest/globals';
import { receiverCommand } from './receiver-command.js';

test.each([
  ['http://127.0.0.1:4000', 'WEBHOOK_SECRET=whsec_a npm run receiver'],
  ['http://localhost:4010/webhooks', 'PORT=4010 WEBHOOK_SECRET=whsec_a npm run receiver'],
  ['https://hooks.example.com:8443/galley', 'WEBHOOK_SECRET=whsec_a npm run receiver'],
])('The sample receiver listens where the webhook %s sends', (url, command) => {
  expect(receiverCommand(url, 'whsec_a')).toBe(command);
});
