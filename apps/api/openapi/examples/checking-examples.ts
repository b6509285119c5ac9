import { ruleDescriptions } from '#rendering';

/** The findings that a check of the example welcome email returns. */
const checked = {
  findings: [
    {
      rule: 'preheader-missing',
      severity: 'warning',
      nodeId: null,
      path: '',
      message: 'The document has no preheader.',
      help: 'Set `preheader` to a short text that continues the subject. Without a preheader, mail clients show the first words of the email next to the subject.',
    },
    {
      rule: 'language-missing',
      severity: 'warning',
      nodeId: null,
      path: '',
      message: 'The document has no language.',
      help: 'Set `language` to the language of the text, such as en or pt-BR. Screen readers use it to choose a voice.',
    },
    {
      rule: 'unsubscribe-missing',
      severity: 'warning',
      nodeId: null,
      path: '',
      message: 'No link looks like an unsubscribe link.',
      help: 'Add an unsubscribe link. If the email does not need one, for example because it is a receipt, ignore this finding.',
    },
    {
      rule: 'subject-missing',
      severity: 'info',
      nodeId: null,
      path: '',
      message: 'The document has no subject.',
      help: 'Set `subject`, so that the subject is checked, compared and published with the email. Your program may also set the subject when it sends the email.',
    },
    {
      rule: 'title-missing',
      severity: 'info',
      nodeId: null,
      path: '',
      message: 'The document has no title of its own.',
      help: 'Set `title`. Browsers show it when readers open the email in a tab, and screen readers read it first.',
    },
  ],
  counts: { error: 0, warning: 3, info: 2 },
};

const settings = { levels: { 'unsubscribe-missing': 'off' }, errorsBlockPublishing: true };

/** The responses to the example requests about checks, by `operationId`. */
export const checkingExamples: Record<string, object> = {
  checkTemplate: checked,
  check: checked,
  getCheckSettings: { ...settings, rules: ruleDescriptions },
  changeCheckSettings: settings,
};
