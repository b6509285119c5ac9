import { ApiProperty } from '@nestjs/swagger';
import type { DocumentKind, RestoredDocument, TrashedDocument } from '#documents';
import {
  CreatedAt,
  DocumentReference,
  UpdatedAt,
  VersionNumber,
} from '../documents/document.responses.js';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';

class DocumentOfKind extends DocumentReference {
  @ApiProperty(enumProperty('DocumentKind'))
  kind!: DocumentKind;

  @VersionNumber()
  version!: number;
}

class TrashedDocumentResponse extends DocumentOfKind implements TrashedDocument {
  @ApiProperty({ description: 'The time of the deletion.' })
  deletedAt!: Date;

  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of the user who deleted the document; for an API key, the id of the user that the key acts as.',
  })
  deletedBy!: string;

  @ApiProperty({
    description: 'The document can be restored until this time. Then Galley deletes it for good.',
  })
  expiresAt!: Date;
}

export class TrashPageResponse extends PageOf(TrashedDocumentResponse) {}

export class RestoredDocumentResponse extends DocumentOfKind implements RestoredDocument {
  @CreatedAt()
  createdAt!: Date;

  @UpdatedAt()
  updatedAt!: Date;
}
