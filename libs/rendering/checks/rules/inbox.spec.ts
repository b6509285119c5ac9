import { expect, it } from '@jest/globals';
import { readEmail } from '../email/email.js';
import { findIn } from '../findings.js';
import { inboxRules } from './inbox.js';

/** The messages about the texts of a document, which data may have filled. */
function messagesOf(document: Record<string, string>, inbox?: Record<string, string>): string[] {
  const known = { html: '', warnings: [], latestVersions: {}, ...(inbox && { inbox }) };
  return findIn(readEmail(document, known), inboxRules, {}).findings.map(({ message }) => message);
}
const aboutSubject = (subject: string) => messagesOf({ subject, preheader: 'A' });
const aboutPreheader = (preheader: string) => messagesOf({ subject: 'A', preheader });

it('a document without a subject or preheader is told so', () => {
  expect(messagesOf({ preheader: ' \n' })).toEqual([
    'The document has no preheader.',
    'The document has no subject.',
  ]);
});

it('texts that are empty with the data are told so', () => {
  const document = { subject: '{{a}}', preheader: '{{b}}' };
  expect(messagesOf(document, { subject: '', preheader: '' })).toEqual([
    'The preheader is empty with this data.',
    'The subject is empty with this data.',
  ]);
});

it('the length counts neither merge tags nor the isolates around values', () => {
  expect(aboutSubject('a'.repeat(70))).toEqual([]);
  expect(aboutSubject(`${'a'.repeat(70)}{{name}}\u2068\u2069`)).toEqual([]);
  expect(aboutSubject('a'.repeat(71))).toEqual([
    'The subject has 71 characters, so mail clients cut it off.',
  ]);
  expect(aboutPreheader('a'.repeat(150))).toEqual([]);
  expect(aboutPreheader('a'.repeat(151))).toEqual([
    'The preheader has 151 characters, so mail clients cut it off.',
  ]);
});

it.each(['A', '🎉 Sale ©', '🇩🇪 Neu', '👍🏽', '👨‍👩‍👧 Family', '1️⃣ first'])(
  '%s has at most one emoji',
  (subject) => {
    expect(aboutSubject(subject)).toEqual([]);
  },
);

it('counts emoji', () => {
  expect(aboutSubject('🎉 A 🎂 B ✈️')).toEqual(['The subject has 3 emoji.']);
});
