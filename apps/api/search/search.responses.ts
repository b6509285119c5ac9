import { ApiProperty } from '@nestjs/swagger';
import type { DocumentKind, HighlightPart, SearchResult } from '#documents';
import {
  CreatedAt,
  DocumentReference,
  Tags,
  UpdatedAt,
  VersionNumber,
} from '../documents/document.responses.js';
import { enumProperty } from '../validation/enums.js';
import { PageOf } from '../validation/schemas.js';

class HighlightPartResponse implements HighlightPart {
  @ApiProperty({
    description:
      'A part of the name or of a fragment. Joined together, the parts in an array are the whole name or fragment.',
  })
  text!: string;

  @ApiProperty({ description: 'Whether the part is a word that matches the query.' })
  isMatch!: boolean;
}

class HighlightsResponse {
  @ApiProperty({ type: [HighlightPartResponse], description: 'The name, split into parts.' })
  name!: HighlightPart[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { $ref: '#/components/schemas/HighlightPart' } },
    maxItems: 2,
    description:
      'Up to two fragments of the text that match, each split into parts. Empty if only the name matches.',
  })
  text!: HighlightPart[][];
}

class SearchResultResponse extends DocumentReference implements SearchResult {
  @ApiProperty(enumProperty('DocumentKind'))
  kind!: DocumentKind;

  @Tags()
  tags!: string[];

  @VersionNumber()
  version!: number;

  @CreatedAt()
  createdAt!: Date;

  @UpdatedAt()
  updatedAt!: Date;

  @ApiProperty({
    description: 'Where the name and the text match. The parts are plain text, not HTML.',
  })
  highlights!: HighlightsResponse;
}

export class SearchPageResponse extends PageOf(SearchResultResponse) {}
