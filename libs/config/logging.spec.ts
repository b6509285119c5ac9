import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { pinoHttp } from 'pino-http';
import { logOptions } from './logging.js';

it('an error is logged without what it carries along, such as the password of a failed login', () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const error = Object.assign(new Error('WRONGPASS'), {
    code: 'ERR',
    command: { name: 'auth', args: ['galley', 'hunter2'] },
  });
  pinoHttp({ ...logOptions({ LOG_LEVEL: 'info' }), stream }).logger.error(
    { err: error },
    'no Redis',
  );
  expect(lines.join('')).toContain('"message":"WRONGPASS"');
  expect(lines.join('')).toContain('"code":"ERR"');
  expect(lines.join('')).not.toContain('hunter2');
});
