import { expect, it } from '@jest/globals';
import { cleanReply, describeForLog, toDomainError } from './smtp-errors.js';

it.each([
  ['250 2.0.0 Ok', '250 2.0.0 Ok'],
  ['550-5.1.1 No such user\n550 5.1.1 Try another', '550-5.1.1 No such user 550 5.1.1 Try another'],
  [' 550\r\n\t5.1.1\u0000\u001b[31m No ', '550 5.1.1 [31m No'],
  ['550 Grüße 😀', '550 Grüße 😀'],
])('shows the reply %j on one line', (reply, shown) => {
  expect(cleanReply(reply)).toBe(shown);
});

it('shows the first 300 characters of a reply', () => {
  expect(Array.from(cleanReply('😀'.repeat(301)))).toEqual([...Array<string>(299).fill('😀'), '…']);
  expect(cleanReply('x'.repeat(1_000_000))).toHaveLength(300);
});

const smtpError = (fields: object) =>
  Object.assign(new Error('secret'), { command: 'CONN', ...fields });

it.each([
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 No' }, 'conflict'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 552, response: '552 Too big' }, 'conflict'],
  [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'conflict'],
  [
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450, response: '450 Wait' },
    'unavailable',
  ],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: 'secret' }, 'unavailable'],
  [{ code: 'ETLS', command: 'STARTTLS', responseCode: 502, response: '502 No' }, 'unavailable'],
  [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'unavailable'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'unavailable'],
  [{ code: 'ETIMEDOUT' }, 'unavailable'],
  [{ code: 'EABORT' }, 'unavailable'],
])('the error %j becomes %s', (fields, code) => {
  const error = smtpError(fields);
  expect(toDomainError(error)).toMatchObject({ code });
  expect(toDomainError(error).message + describeForLog(error)).not.toContain('secret');
});

it('passes on an error that is not about SMTP', () => {
  const error = new TypeError('A defect');
  expect(toDomainError(error)).toBe(error);
});
