import { applyDecorators, Delete, Get, Post, Put } from '@nestjs/common';
import type { DocumentKind } from '#documents';
import { Operation } from '../operations/operation.js';
import type { documentResponses } from './document.responses.js';
import { BATCH_TOO_LARGE_DESCRIPTION, BOUNDED_PAGE_DESCRIPTION } from '../validation/schemas.js';

const LIST_ORDER_DESCRIPTION =
  'By default, the most recently changed item comes first; `sort` selects another order. With `sort=updatedAt` or `sort=createdAt`, the item with the earliest time comes first, and the list ends before any change that Galley is still saving. If you continue later with the `syncCursor`, you therefore miss nothing: with `sort=updatedAt`, you get every item that has changed since your last request, and with `sort=createdAt`, every item that was created since your last request.';

const BY_EXTERNAL_ID = 'by-external-id/:externalId';

const takenDescription = (kind: DocumentKind) =>
  `Another ${kind} of the workspace has the \`externalId\`; \`details\` names the field.`;

/** Descriptions in the API reference that differ between templates and modules. */
export interface OperationTexts {
  delete: string;
  /** The description of the error `in_use`. Templates have none, because nothing refers to a template. */
  deleteInUse?: string;
  duplicate: string;
}

/** Creates the method decorators for the routes of templates or modules. */
export function documentOperations(
  kind: DocumentKind,
  responses: ReturnType<typeof documentResponses>,
  texts: OperationTexts,
) {
  const { deleteInUse } = texts;
  const response = responses.Document;
  const Kind = kind === 'template' ? 'Template' : 'Module';
  const created = {
    status: 201,
    response,
    etag: true,
    location: ({ id }: { id: string }) => `/api/${kind}s/${id}`,
    idempotent: true,
  } as const;
  return {
    list: applyDecorators(
      Get(),
      Operation({
        id: `list${Kind}s`,
        summary: `List the ${kind}s of a workspace`,
        role: 'viewer',
        description: `${LIST_ORDER_DESCRIPTION} ${BOUNDED_PAGE_DESCRIPTION}`,
        response: responses.Page,
      }),
    ),
    get: applyDecorators(
      Get(':id'),
      Operation({
        id: `get${Kind}`,
        summary: `Get a ${kind}`,
        role: 'viewer',
        response,
        etag: true,
      }),
    ),
    getByExternalId: applyDecorators(
      Get(BY_EXTERNAL_ID),
      Operation({
        id: `get${Kind}ByExternalId`,
        summary: `Get a ${kind} by the id of your own`,
        role: 'viewer',
        response,
        etag: true,
      }),
    ),
    upsert: applyDecorators(
      Put(BY_EXTERNAL_ID),
      Operation({
        id: `upsert${Kind}`,
        summary: `Create or update a ${kind} by the id of your own`,
        role: 'editor',
        description: `Creates the ${kind} (201), or updates it (200) if the workspace has a ${kind} with this \`externalId\`. An update keeps the fields that you leave out. If nothing differs, nothing changes: there is no new version and no event. With \`If-Match\`, the request only updates, and gets 404 if there is no such ${kind}.`,
        response,
        etag: true,
        ifMatch: true,
        mayCreate: true,
        location: created.location,
      }),
    ),
    create: applyDecorators(
      Post(),
      Operation({
        id: `create${Kind}`,
        summary: `Create a ${kind}`,
        role: 'editor',
        ...created,
        errors: { already_exists: takenDescription(kind) },
      }),
    ),
    batch: applyDecorators(
      Post('batch'),
      Operation({
        id: `batch${Kind}s`,
        summary: `Create, update and delete up to 1,000 ${kind}s`,
        description: `Applies all operations or none, with one event for each operation that changes something. No two operations may name the same ${kind}. An \`upsert\` updates the ${kind} with the \`externalId\`, or creates it; \`action\` of the result says which. An \`externalId\` that one operation of a batch gives up is free for another one.`,
        role: 'editor',
        response: responses.BatchResult,
        isBatch: true,
        idempotent: true,
        errors: {
          stale: `A ${kind} has changed since you read it; \`details\` names the operations whose \`ifMatch\` is no longer current.`,
          too_large: BATCH_TOO_LARGE_DESCRIPTION,
          already_exists: takenDescription(kind),
          ...(deleteInUse && { in_use: deleteInUse }),
        },
      }),
    ),
    update: applyDecorators(
      Put(':id'),
      Operation({
        id: `update${Kind}`,
        summary: `Update a ${kind}`,
        role: 'editor',
        description:
          'Send at least one of the fields; the other fields keep their values. An update that changes any field other than `tags` and `externalId` creates a new version.',
        response,
        etag: true,
        ifMatch: true,
        errors: { already_exists: takenDescription(kind) },
      }),
    ),
    delete: applyDecorators(
      Delete(':id'),
      Operation({
        id: `delete${Kind}`,
        summary: `Delete a ${kind}`,
        role: 'editor',
        description: texts.delete,
        status: 204,
        ifMatch: true,
        ...(deleteInUse && { errors: { in_use: deleteInUse } }),
      }),
    ),
    duplicate: applyDecorators(
      Post(':id/duplicate'),
      Operation({
        id: `duplicate${Kind}`,
        summary: `Duplicate a ${kind}`,
        role: 'editor',
        description: texts.duplicate,
        accessDescription:
          'Requires the `viewer` role in the workspace of the original, and the `editor` role in the workspace of the copy.',
        optionalBody: true,
        ...created,
      }),
    ),
  };
}
