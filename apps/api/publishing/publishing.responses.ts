import { ApiProperty } from '@nestjs/swagger';
import type { Publication, PublishedTemplate } from '#publishing';
import type { Environment } from '#workspaces';
import {
  CreatedAt,
  DocumentReference,
  withRequiredContent,
} from '../documents/document.responses.js';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';

export class EnvironmentResponse implements Environment {
  @ApiProperty()
  name!: string;

  @ApiProperty({
    ...ID_SCHEMA,
    nullable: true,
    description:
      'The id of the user who created the environment; null for `production`, which every workspace has.',
  })
  createdBy!: string | null;

  @CreatedAt()
  createdAt!: Date;
}

export class EnvironmentsResponse {
  @ApiProperty({ type: [EnvironmentResponse] })
  data!: EnvironmentResponse[];
}

export class PublicationResponse implements Publication {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty(ID_SCHEMA)
  templateId!: string;

  @ApiProperty()
  environment!: string;

  @ApiProperty(enumProperty('PublicationStatus'))
  status!: Publication['status'];

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    nullable: true,
    description: 'The number of the version; null if the template was unpublished.',
  })
  version!: number | null;

  @ApiProperty({ description: 'The note that was sent with the request; empty by default.' })
  note!: string;

  @ApiProperty({
    description:
      'When the publication took effect; for `scheduled`, when Galley will publish the version. Two publications of a template never take effect at the same time.',
  })
  at!: Date;

  @ApiProperty({ ...ID_SCHEMA, description: 'The id of the user who requested the publication.' })
  createdBy!: string;

  @ApiProperty({ description: 'When the publication was requested.' })
  createdAt!: Date;
}

export class PublicationsResponse {
  @ApiProperty({ type: [PublicationResponse] })
  data!: PublicationResponse[];
}

export class PublicationPageResponse extends PageOf(PublicationResponse) {}

class PublishedVersionResponse extends DocumentReference {
  @ApiProperty()
  environment!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the published version.' })
  version!: number;

  @ApiProperty({ description: 'When the version was published.' })
  publishedAt!: Date;
}

export class PublishedTemplateResponse
  extends withRequiredContent(PublishedVersionResponse)
  implements PublishedTemplate {}
