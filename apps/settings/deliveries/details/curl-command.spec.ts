import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { hiddenHeaders, toCurlCommand } from './curl-command.js';

const request = {
  url: "https://example.com/hooks?name=it's&all=$HOME",
  headers: { 'content-type': 'application/json', 'Content-Length': '5', 'x-key': '********' },
  body: '{"name":"O\'Brien `id` $(id) \\n"}',
};

describe('toCurlCommand', () => {
  it('passes the exact URL, headers and body to curl', () => {
    const [, ...words] = readWords(toCurlCommand(request));
    expect(words).toEqual([
      '-i',
      '-X',
      'POST',
      request.url,
      '-H',
      'content-type: application/json',
      '-H',
      'x-key: ********',
      '--data-raw',
      request.body,
    ]);
  });
});

describe('hiddenHeaders', () => {
  it('returns the names of the headers with masked values', () => {
    expect(hiddenHeaders(request.headers)).toEqual(['x-key']);
  });
});

/** Lets a real shell split a command into words. */
function readWords(command: string): string[] {
  const script = `set -- ${command}; printf '%s\\0' "$@"`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}
