import { exampleIds } from './request-examples.js';

const { workspace: workspaceId, user, moduleCopy, templateCopy } = exampleIds;

const deletion = {
  workspaceId,
  version: 1,
  deletedAt: '2026-11-21T09:37:00.000Z',
  deletedBy: user,
  expiresAt: '2026-12-21T09:37:00.000Z',
};

/** The responses about the trash, by `operationId`. */
export const trashExamples: Record<string, object> = {
  listTrash: {
    data: [
      { id: moduleCopy, kind: 'module', name: 'Footer (copy)', ...deletion },
      { id: templateCopy, kind: 'template', name: 'Welcome back', ...deletion },
    ],
    nextCursor: null,
  },
  restoreFromTrash: {
    id: moduleCopy,
    kind: 'module',
    name: 'Footer (copy)',
    workspaceId,
    version: 1,
    createdAt: '2026-11-21T09:36:00.000Z',
    updatedAt: '2026-11-21T09:38:00.000Z',
  },
};
