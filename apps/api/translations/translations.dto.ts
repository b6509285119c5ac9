import { Transform } from 'class-transformer';
import { DomainError } from '#errors';
import type { FileFormat } from '#rendering';
import { ReceivedDocument } from '../json/json-body.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { fieldRule, IsOneOf, Optional } from '../validation/fields.js';

export class TranslationsQuery {
  @Optional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @IsVersion('The number of the version to read. The default is the latest version.')
  version?: number;
}

interface TranslatedText {
  id: string;
  text: string | null;
  source?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findTextsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one text';
  const index = value.findIndex((each) => !isTranslatedText(each));
  return index < 0
    ? undefined
    : `must have an \`id\` and a \`text\`, and may have a \`source\`, at index ${index}`;
}

function isTranslatedText(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, text, source } = value;
  const isText = text === null || typeof text === 'string';
  return typeof id === 'string' && isText && (source === undefined || typeof source === 'string');
}

const TEXTS_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['id', 'text'],
    properties: {
      id: { type: 'string', description: 'The `id` of the text, as `GET` returns it.' },
      text: {
        type: 'string',
        nullable: true,
        description: 'The translation; null removes it.',
      },
      source: {
        type: 'string',
        description:
          'The text that was translated. If the document has another text now, the request gets 400.',
      },
    },
  },
} as const;

/** The content of a file, in a string. The value is a `ReceivedDocument`, which may be larger than other fields. */
const IsFileContent = () =>
  fieldRule(
    'isFileContent',
    (value) =>
      value instanceof ReceivedDocument && value.text.startsWith('"')
        ? undefined
        : 'must be a string',
    { type: String },
  );

export class StoreTranslationsDto {
  @Optional('The translations. Texts that are not listed keep theirs.')
  @fieldRule('areTexts', findTextsProblem, TEXTS_SCHEMA as object)
  texts?: TranslatedText[];

  @Optional()
  @IsOneOf('TranslationFormat')
  format?: FileFormat;

  // With a class as its type, the OpenAPI document would describe the class.
  @Optional(
    'The content of a file that a translator returned, with its `format`, instead of `texts`. A text without a translation keeps its earlier one.',
  )
  @IsFileContent()
  content?: unknown;
}

/** @throws DomainError `invalid` unless the body has either `texts` or a file. */
export function translationsIn({ texts, format, content }: StoreTranslationsDto) {
  const file =
    format && content instanceof ReceivedDocument ? { format, content: content.text } : undefined;
  const hasPartOfFile = format !== undefined || content !== undefined;
  if (texts === undefined ? file === undefined : hasPartOfFile) {
    throw new DomainError('invalid', 'Send either texts, or format and content.');
  }
  return { texts, file };
}
