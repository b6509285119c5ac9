import { applyDecorators, Get } from '@nestjs/common';
import { Operation } from '../operations/operation.js';
import { ComparisonResponse, JsonPatchOperationResponse } from './comparison.responses.js';

/** Creates the method decorator for the route that compares versions of templates or modules. */
export const compareOperation = (kind: 'template' | 'module'): MethodDecorator =>
  applyDecorators(
    Get(':id/compare'),
    Operation({
      id: `compare${kind === 'template' ? 'Template' : 'Module'}Versions`,
      summary: `Compare two versions of a ${kind}, or of two ${kind}s`,
      description: `Lists what was added, removed, moved and changed, node by node. With \`Accept: application/json-patch+json\`, the response is a JSON Patch (RFC 6902) that turns the document of \`from\` into the document of \`to\`; the name of the ${kind} is not part of the document. If a patch of the differences would be longer than the document, the patch replaces the whole document instead.`,
      role: 'viewer',
      accessDescription: `Requires the \`viewer\` role, or a higher role, in the workspaces of both ${kind}s.`,
      response: ComparisonResponse,
      alternative: { mediaType: 'application/json-patch+json', item: JsonPatchOperationResponse },
    }),
  );
