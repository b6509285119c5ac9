import { exampleIds as ids, requestExamples as requests } from './request-examples.js';
import { pageOf, timeAt } from './values.js';

const environment = { name: 'staging', createdBy: ids.user, createdAt: timeAt('34') };
const publication = {
  id: ids.publication,
  templateId: ids.template,
  environment: 'staging',
  status: 'published',
  version: 1,
  note: 'Spring campaign',
  at: timeAt('35'),
  createdBy: ids.user,
  createdAt: timeAt('35'),
};
const unpublished = {
  ...publication,
  id: ids.laterPublication,
  status: 'unpublished',
  version: null,
  note: '',
  at: timeAt('36'),
  createdAt: timeAt('36'),
};
const scheduled = {
  ...publication,
  id: ids.scheduledPublication,
  status: 'scheduled',
  version: 2,
  at: '2099-03-20T07:00:00.000Z',
};
const { content, name } = requests['createTemplate'] as { content: object; name: string };

/** The responses to the example requests about publishing, by `operationId`. */
export const publishingExamples: Record<string, object> = {
  createEnvironment: environment,
  listEnvironments: {
    data: [{ name: 'production', createdBy: null, createdAt: timeAt('30') }, environment],
  },
  publishTemplate: publication,
  publishTemplates: {
    data: [{ ...publication, id: ids.batchedPublication, environment: 'production' }],
  },
  getPublishedTemplate: {
    id: ids.template,
    name,
    workspaceId: ids.workspace,
    environment: 'staging',
    version: 1,
    publishedAt: timeAt('35'),
    content,
  },
  unpublishTemplate: unpublished,
  listPublications: pageOf(unpublished, publication),
  listScheduledPublications: pageOf(scheduled),
  listWorkspaceScheduledPublications: pageOf(scheduled),
};
