import { applyDecorators, Get, Patch, Post, type Type } from '@nestjs/common';
import { Operation } from '../http/operation.js';
import { BOUNDED_PAGE_DESCRIPTION } from '../validation/schemas.js';

interface VersionOperations {
  kind: 'template' | 'module';
  response: Type;
  /** A version without its document. */
  summaryResponse: Type;
  pageResponse: Type;
  /** The template or module. */
  documentResponse: Type;
  restoreDescription: string;
}

/** The routes of the versions of templates and modules, as decorators of their controllers' methods. */
export function versionOperations({
  kind,
  response,
  summaryResponse,
  pageResponse,
  documentResponse,
  restoreDescription,
}: VersionOperations) {
  const Kind = kind === 'template' ? 'Template' : 'Module';
  return {
    list: applyDecorators(
      Get(),
      Operation({
        id: `list${Kind}Versions`,
        summary: `List the versions of a ${kind}`,
        description: `The highest version number comes first. ${BOUNDED_PAGE_DESCRIPTION} With filters, a page may have fewer versions than \`limit\`, or none: follow \`nextCursor\` until it is null.`,
        role: 'viewer',
        response: pageResponse,
      }),
    ),
    get: applyDecorators(
      Get(':version'),
      Operation({
        id: `get${Kind}Version`,
        summary: `Get a version of a ${kind}`,
        description: 'A version never changes, except for its `label` and its `note`.',
        role: 'viewer',
        response,
      }),
    ),
    label: applyDecorators(
      Patch(':version'),
      Operation({
        id: `label${Kind}Version`,
        summary: `Change the label or the note of a version of a ${kind}`,
        description:
          'The version itself never changes, so there is no new version and no event. Send at least one of the fields.',
        role: 'editor',
        response: summaryResponse,
      }),
    ),
    restore: applyDecorators(
      Post(':version/restore'),
      Operation({
        id: `restore${Kind}Version`,
        summary: `Restore a version of a ${kind}`,
        description: restoreDescription,
        role: 'editor',
        response: documentResponse,
        etag: true,
        ifMatch: true,
        optionalBody: true,
        idempotent: true,
      }),
    ),
  };
}
