export const words = {
  title: 'Currently published',
  text: 'Programs that send emails read the published version. Changing or restoring the template does not affect these programs until somebody publishes another version.',
  environmentsLabel: 'Environments of the workspace',
  notPublished: 'Nothing is published here.',
  publishedAgo: 'published',
  by: (author: string) => `by ${author}`,
  compareWithLatest: (version: number) => `Compare with the latest version (${version})`,
  compareWithLatestFor: (environment: string, version: number) =>
    `Compare with the latest version (${version}): the version published in ${environment}`,

  publish: 'Publish',
  publishTo: (environment: string) => `Publish to ${environment}`,
  publishTitle: 'Publish a version',
  version: 'Version',
  environment: 'Environment',
  when: 'When',
  now: 'Now',
  later: 'At a later time',
  time: 'Time',
  timeHint: 'In the time zone of your browser.',
  timeInvalid: 'Choose a time in the future.',
  note: 'Note',
  noteHint: 'The reason for this change. The history shows the note.',
  replaces: (environment: string, version: number) =>
    `Version ${version} is currently published in ${environment}.`,
  replacesNothing: (environment: string) => `Nothing is currently published in ${environment}.`,
  isPublished: (environment: string, version: number) =>
    `Version ${version} is already published in ${environment}, so there is nothing to do.`,
  schedule: 'Schedule',
  published: (environment: string, version: number) =>
    `Version ${version} is published in ${environment}.`,
  scheduledFor: (environment: string, version: number, time: string) =>
    `Galley will publish version ${version} in ${environment} on ${time}.`,

  unpublish: 'Unpublish',
  unpublishFrom: (environment: string) => `Unpublish from ${environment}`,
  unpublishQuestion: (environment: string) => `Unpublish from ${environment}?`,
  unpublishText: (environment: string) =>
    `Programs that read what is published in ${environment} will no longer find this template. Scheduled publications are kept. Webhooks receive template.unpublished.`,
  unpublished: (environment: string) => `The template is no longer published in ${environment}.`,
  alreadyUnpublished: (environment: string) =>
    `Somebody else has already unpublished the template from ${environment}, or deleted the environment.`,

  scheduledTitle: 'Scheduled',
  nothingScheduled: 'Nothing is scheduled.',
  scheduledColumns: {
    version: 'Version',
    environment: 'Environment',
    time: 'Time',
    by: 'By',
    note: 'Note',
    actions: 'Actions',
  },
  cancelFor: (version: number, environment: string, time: string) =>
    `Cancel the publication of version ${version} in ${environment}, scheduled for ${time}`,
  cancelTitle: 'Cancel this publication?',
  cancelText: (version: number, environment: string) =>
    `Galley will not publish version ${version} in ${environment}. What is currently published there does not change.`,
  cancelAction: 'Cancel publication',
  cancelled: 'The publication was cancelled.',
  cancelTooLate:
    'Galley has already published the version, or somebody else has cancelled the publication.',

  historyTitle: 'History',
  historyText: 'To go back to an earlier state, publish the earlier version again.',
  historyFilter: 'Show',
  allEnvironments: 'All environments',
  noHistory: 'Nothing has been published yet.',
  historyColumns: {
    what: 'What happened',
    environment: 'Environment',
    time: 'When',
    by: 'By',
    note: 'Note',
  },
  versionPublished: (version: number) => `Published version ${version}`,
  versionUnpublished: 'Unpublished',
};
