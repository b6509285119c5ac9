import { TAG } from '../../personalisation/index.js';
import { defineRules } from '../rule.js';

// Mail clients show about 40 characters of a subject on phones, and 60 to 80 in wide windows.
const MAX_SUBJECT_LENGTH = 70;
// Mail clients show about 40 to 130 characters of a preheader.
const MAX_PREHEADER_LENGTH = 150;
const MAX_EMOJI = 1;
// An emoji may consist of several characters, such as a flag.
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');

/** The rules about the texts that mail clients show in the list of emails. */
export const inboxRules = defineRules([
  {
    name: 'subject-missing',
    severity: 'info',
    help: 'Set `subject`, so that the subject is checked, compared and published with the email. Your program may also set the subject when it sends the email.',
    *find({ document, inbox }) {
      const message = missing('subject', inbox.subject);
      if (message !== undefined) yield { place: document, message };
    },
  },
  {
    name: 'subject-long',
    severity: 'warning',
    help: `Shorten the subject to at most ${MAX_SUBJECT_LENGTH} characters, and put the most important words first. Phones show about 40 characters.`,
    *find({ document, inbox: { subject = '' } }) {
      const length = lengthOf(subject);
      if (length > MAX_SUBJECT_LENGTH) {
        const message = `The subject has ${length} characters, so mail clients cut it off.`;
        yield { place: document, message };
      }
    },
  },
  {
    name: 'subject-emoji',
    severity: 'info',
    help: 'Use at most one emoji, and not instead of a word. Screen readers read the name of each emoji, and some mail clients show it as a square.',
    *find({ document, inbox: { subject = '' } }) {
      const count = subject.match(EMOJI)?.length ?? 0;
      if (count > MAX_EMOJI) {
        yield { place: document, message: `The subject has ${count} emoji.` };
      }
    },
  },
  {
    name: 'preheader-missing',
    severity: 'warning',
    help: 'Set `preheader` to a short text that continues the subject. Without a preheader, mail clients show the first words of the email next to the subject.',
    *find({ document, inbox }) {
      const message = missing('preheader', inbox.preheader);
      if (message !== undefined) yield { place: document, message };
    },
  },
  {
    name: 'preheader-long',
    severity: 'info',
    help: `Shorten the preheader to at most ${MAX_PREHEADER_LENGTH} characters, and put the most important words first.`,
    *find({ document, inbox: { preheader = '' } }) {
      const length = lengthOf(preheader);
      if (length > MAX_PREHEADER_LENGTH) {
        const message = `The preheader has ${length} characters, so mail clients cut it off.`;
        yield { place: document, message };
      }
    },
  },
]);

/** With data, a text may consist of values that are empty. */
function missing(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return `The document has no ${name}.`;
  return text === '' ? `The ${name} is empty with this data.` : undefined;
}

/** The number of characters without merge tags, and without the isolates around values. */
const lengthOf = (text: string): number =>
  text.replace(TAG, '').replace(/[\u2068\u2069]/g, '').length;
