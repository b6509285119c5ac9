import { ApiProperty } from '@nestjs/swagger';

export class HealthAnswer {
  @ApiProperty({ enum: ['ok'], description: 'It is well.' })
  status!: 'ok';
}
