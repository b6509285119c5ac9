import { ApiProperty } from '@nestjs/swagger';

export class HealthResponse {
  @ApiProperty({ enum: ['ok'], description: 'The process is healthy.' })
  status!: 'ok';
}
