import type { CheckSeverity } from '#client';

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const words = {
  choice: 'What the preview shows',
  version: 'Version',
  view: 'Size of the preview',
  views: { desktop: 'Desktop', mobile: 'Phone', text: 'Plain text' },
  client: 'Approximately as in',
  language: 'Language',
  ownLanguage: 'The language of the document',
  anyClient: 'A client that supports everything',
  clients: {
    gmail: 'Gmail',
    'gmail-app': 'Gmail app, other account',
    'outlook-windows': 'Outlook on Windows',
    'apple-mail-dark': 'Apple Mail, dark mode',
    'without-images': 'Without images',
  },
  dark: 'Dark mode: the colours of the email for it, or inverted colours',

  inbox: 'In the list of emails',
  noSubject: 'No subject',

  inTemplates: 'Inside the templates that use it',
  inNoTemplate: 'No template uses the module.',

  findings: 'Findings',
  counts: ({ error, warning, info }: Record<CheckSeverity, number>) =>
    error + warning + info === 0
      ? 'The check found no problems.'
      : [countOf(error, 'error'), countOf(warning, 'warning'), countOf(info, 'note')].join(', '),
  severities: { error: 'Error', warning: 'Warning', info: 'Note' },
  marks: 'Mark all findings in the email',
  showFinding: (label: string) => `Show finding ${label} in the email`,
  place: (path: string, nodeId: string | null) =>
    [nodeId === null ? [] : [`Block ${nodeId}`], placeOf(path)].flat().join(' · '),

  data: 'Sample data',
  noVariables: 'The email has no merge tags, conditions or repetitions.',
  dataLabel: 'Values as JSON',
  dataHint: 'Without data, the preview shows merge tags as they are written.',
  dataInvalid: 'This is not a JSON object.',
  fill: 'Fill in sample values',
  clear: 'Clear',
  testEmail: 'Test email',
  testEmailTo: 'Send a test email to',
  sendTestEmail: 'Send a test email',
  testEmailSent: (address: string, response: string) =>
    `Sent to ${address}. The mail server said: ${response}`,

  missing: (names: readonly string[], count: number) =>
    `${countOf(count, 'variable')} without a value: ${names.join(', ')}${count > names.length ? ' …' : ''}`,
};

const NOUNS: Record<string, string> = {
  stripes: 'stripe',
  structures: 'row',
  containers: 'column',
  blocks: 'block',
  elements: 'element',
  links: 'link',
  items: 'entry',
  rows: 'row',
};

/** A JSON Pointer in words: `/stripes/0/containers/1` is `stripe 1, column 2`. */
function placeOf(pointer: string): string {
  if (pointer === '') return 'the document';
  const parts = pointer.split('/').slice(1);
  const places = parts.flatMap((part, index) => {
    const noun = NOUNS[parts[index - 1] ?? ''];
    return noun === undefined || !/^\d+$/.test(part) ? [] : [`${noun} ${Number(part) + 1}`];
  });
  return places.length > 0 ? places.join(', ') : parts.join(' ');
}
