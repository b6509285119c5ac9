import { ApiProperty } from '@nestjs/swagger';

const SOURCE_LANGUAGE = {
  type: String,
  nullable: true,
  description: 'The `language` of the document; null if the document has none.',
} as const;
const VERSION = { type: 'integer', minimum: 1, description: 'The version that was read.' } as const;

class ProgressResponse {
  @ApiProperty({ description: 'A language tag (BCP 47), such as `pt-BR`.' })
  language!: string;

  @ApiProperty({ type: 'integer', description: 'The number of texts in the document.' })
  texts!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of these texts that have a translation into the language, or into a more general one.',
  })
  translated!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of texts that changed after they were translated.',
  })
  outdated!: number;
}

export class LanguagesResponse {
  @ApiProperty(VERSION)
  version!: number;

  @ApiProperty(SOURCE_LANGUAGE)
  sourceLanguage!: string | null;

  @ApiProperty({
    type: [ProgressResponse],
    description: 'The languages that the document has translations into, at most 100.',
  })
  languages!: ProgressResponse[];
}

class TranslatedTextResponse {
  @ApiProperty({
    description:
      'The `id` of the node and the place of the text in the node, such as `greeting/content`. A node without an `id` of its own has its JSON Pointer instead.',
  })
  id!: string;

  @ApiProperty({ description: 'The text in the language of the document.' })
  source!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The translation; null if there is none into exactly this language.',
  })
  text!: string | null;

  @ApiProperty({ description: 'Whether the text changed after it was translated.' })
  isOutdated!: boolean;
}

export class TranslationsResponse {
  @ApiProperty(VERSION)
  version!: number;

  @ApiProperty(SOURCE_LANGUAGE)
  sourceLanguage!: string | null;

  @ApiProperty({ description: 'The language of the translations.' })
  language!: string;

  @ApiProperty({
    type: [TranslatedTextResponse],
    description:
      'The texts of the document with words, in the order in which readers see them. Texts of modules belong to the modules.',
  })
  texts!: TranslatedTextResponse[];
}
