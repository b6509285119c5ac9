import type { ImportFormat } from '#rendering';
import { ReceivedDocument } from '../json/json-body.js';
import { fieldRule, IsOneOf, Optional, ResourceId } from '../validation/fields.js';

/** A content of another program: an object, or text in a string. The value is a `ReceivedDocument`. */
const IsImportContent = () =>
  fieldRule('isImportContent', findContentProblem, {
    anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description:
      'The content: MJML or HTML in a string, or the object in which the editor saves its document.',
  });

const QUOTE = '"';

function findContentProblem(value: unknown): string | undefined {
  const isObject = value instanceof ReceivedDocument && value.outline !== undefined;
  const isText = value instanceof ReceivedDocument && value.text.startsWith(QUOTE);
  return isObject || isText ? undefined : 'must be a string or an object';
}

export class ImportDto {
  @IsOneOf('ImportFormat')
  format!: ImportFormat;

  // With a class as its type, the OpenAPI document would describe the class.
  @IsImportContent()
  content!: unknown;

  @Optional(
    'The workspace for which the content is imported. The import shares the turns of this workspace with its renderings.',
  )
  @ResourceId('workspace')
  workspaceId?: string;
}
