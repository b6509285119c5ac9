import { ApiProperty } from '@nestjs/swagger';

export class HealthResponse {
  @ApiProperty({ enum: ['ok'], description: 'The process is healthy.' })
  status!: 'ok';

  @ApiProperty({ description: 'The version of Galley.' })
  version!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The commit from which this version was built; null if the commit is unknown.',
  })
  commit!: string | null;
}
