import { applyDecorators, Get, Patch, Post } from '@nestjs/common';
import type { DocumentKind } from '#documents';
import { Operation } from '../operations/operation.js';
import type { documentResponses } from './document.responses.js';
import { BOUNDED_PAGE_DESCRIPTION } from '../validation/schemas.js';

/** Creates the method decorators for the routes of template or module versions. */
export function versionOperations(
  kind: DocumentKind,
  responses: ReturnType<typeof documentResponses>,
  restoreDescription: string,
) {
  const Kind = kind === 'template' ? 'Template' : 'Module';
  return {
    list: applyDecorators(
      Get(),
      Operation({
        id: `list${Kind}Versions`,
        summary: `List the versions of a ${kind}`,
        description: `The highest version number comes first. ${BOUNDED_PAGE_DESCRIPTION} With filters, a page may have fewer versions than \`limit\`, or none, even if more pages follow. Continue until \`nextCursor\` is null.`,
        role: 'viewer',
        response: responses.VersionPage,
      }),
    ),
    get: applyDecorators(
      Get(':version'),
      Operation({
        id: `get${Kind}Version`,
        summary: `Get a version of a ${kind}`,
        description: 'A version never changes, except for its `label` and its `note`.',
        role: 'viewer',
        response: responses.Version,
      }),
    ),
    label: applyDecorators(
      Patch(':version'),
      Operation({
        id: `label${Kind}Version`,
        summary: `Change the label or the note of a version of a ${kind}`,
        description:
          'The content of the version does not change, so the request creates no new version and no event. Send at least one of the fields.',
        role: 'editor',
        response: responses.VersionSummary,
      }),
    ),
    restore: applyDecorators(
      Post(':version/restore'),
      Operation({
        id: `restore${Kind}Version`,
        summary: `Restore a version of a ${kind}`,
        description: restoreDescription,
        role: 'editor',
        response: responses.Document,
        etag: true,
        ifMatch: true,
        optionalBody: true,
        idempotent: true,
      }),
    ),
  };
}
