import { Transform } from 'class-transformer';
import { fileFormats, type FileFormat } from '#rendering';
import { IsVersion } from '../publishing/publishing.dto.js';
import { fieldRule, Optional } from '../validation/fields.js';

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

interface TranslationFile {
  format: FileFormat;
  content: string;
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

const FILE_SCHEMA = {
  type: 'object',
  required: ['format', 'content'],
  properties: {
    format: { type: 'string', enum: [...fileFormats] },
    content: { type: 'string', description: 'The content of the file.' },
  },
} as const;

export class StoreTranslationsDto {
  @Optional('The translations. Texts that are not listed keep theirs.')
  @fieldRule('areTexts', findTextsProblem, TEXTS_SCHEMA as object)
  texts?: TranslatedText[];

  @Optional(
    'A file that a translator returned, instead of `texts`. A text without a translation keeps none.',
  )
  @fieldRule(
    'isFile',
    (value) =>
      isObject(value) &&
      fileFormats.includes(value['format'] as FileFormat) &&
      typeof value['content'] === 'string'
        ? undefined
        : `must have a \`format\` (${fileFormats.join(' or ')}) and a \`content\``,
    FILE_SCHEMA as object,
  )
  file?: TranslationFile;
}
