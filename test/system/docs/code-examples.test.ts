import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { onPath } from '../../bench/programs.js';

const run = promisify(execFile);

/** Each entry turns the function in docs/use/webhooks.md that verifies signatures into a program. */
const languages = [
  {
    name: 'js',
    command: ['node'],
    file: 'verify.mjs',
    program: (code: string) => `${code}
      const [secret, headers, body] = process.argv.slice(2);
      console.log(verify(secret, JSON.parse(headers), body));`,
  },
  {
    name: 'python',
    command: ['python3'],
    file: 'verify.py',
    program: (code: string) => `import json, sys
${code}
print(str(verify(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode())).lower())`,
  },
  {
    name: 'go',
    command: ['go', 'run'],
    file: 'verify.go',
    program: (code: string) =>
      `${code.replace('package receiver', 'package main').replace('import (', 'import (\n"encoding/json"\n"fmt"\n"os"')}
func main() {
  var plain map[string]string
  json.Unmarshal([]byte(os.Args[2]), &plain)
  header := http.Header{}
  for name, value := range plain { header.Set(name, value) }
  fmt.Println(Verify(os.Args[1], header, []byte(os.Args[3])))
}`,
  },
  {
    name: 'php',
    command: ['php'],
    file: 'verify.php',
    program: (code: string) => `<?php ${code}
      var_export(verify($argv[1], json_decode($argv[2], true), $argv[3]));`,
  },
  {
    name: 'ruby',
    command: ['ruby'],
    file: 'verify.rb',
    program: (code: string) => `require 'json'
${code}
puts verify(ARGV[0], JSON.parse(ARGV[1]), ARGV[2])`,
  },
];

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const previousSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"event":"template.created","data":{"name":"Grüße"}}';

/** Headers as they are sent while a secret is rotated: the signature of the older secret comes first. */
const headersAt = (timestamp: number) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': [previousSecret, secret]
    .map((signingSecret) =>
      new Webhook(signingSecret).sign('msg_1', new Date(timestamp * 1000), body),
    )
    .join(' '),
});

// A machine may lack some of the five languages; the tests of a missing language are reported as skipped.
const availableLanguages = new Set<string>();
for (const { name, command } of languages) {
  if ((await onPath(command[0] ?? '')) !== undefined) availableLanguages.add(name);
}

let guide: string;
let directory: string;

beforeAll(async () => {
  guide = await readFile('docs/use/webhooks.md', 'utf8');
  directory = await mkdtemp(join(tmpdir(), 'galley-documentation-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe.each(languages)('the example in $name', ({ name, command, file, program }) => {
  const [executable = '', ...baseArguments] = command;

  async function verify(headers: Record<string, string>, received: string): Promise<string> {
    const code = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
    const path = join(directory, file);
    await writeFile(path, program(code));
    const scriptArguments = [secret, JSON.stringify(headers), received];
    const env = { ...process.env, GOCACHE: directory, GOFLAGS: '-mod=mod' };
    const { stdout } = await run(executable, [...baseArguments, path, ...scriptArguments], { env });
    return stdout.trim();
  }

  (availableLanguages.has(name) ? it : it.skip)('accepts only signed notifications', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await verify(headersAt(now), body)).toBe('true');
    expect(await verify(headersAt(now), `${body} `)).toBe('false');
    expect(await verify(headersAt(now - 301), body)).toBe('false');
  });

  (availableLanguages.has(name) ? it : it.skip)(
    'refuses notifications without a signature or time',
    async () => {
      const signed = headersAt(Math.floor(Date.now() / 1000));
      const { 'webhook-signature': _signature, ...unsigned } = signed;
      const malformed = { ...signed, 'webhook-signature': 'v1,ü v2' };
      for (const headers of [{}, unsigned, malformed, { ...signed, 'webhook-timestamp': 'noon' }]) {
        expect([headers, await verify(headers, body)]).toEqual([headers, 'false']);
      }
    },
  );
});
