// Opens as many files as this process may, sends one notification, and prints how the attempt ended.
import { closeSync, openSync } from 'node:fs';
import { Sender } from '../../../dist/libs/webhooks/sending/sender.js';

const sender = new Sender({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [] });
const files = [];
try {
  for (;;) files.push(openSync('/dev/null'));
} catch {
  // The process cannot open more files.
}
const { localProblem, ok, error } = await sender.send(process.argv[2], '{}', {});
for (const file of files) closeSync(file);
process.stdout.write(JSON.stringify({ localProblem, ok, error }));
process.exit(0);
