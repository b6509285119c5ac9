import { ApiProperty } from '@nestjs/swagger';
import type { ErrorCode, ErrorDetail } from '#errors';
import { oneOf } from './enums.js';

class ErrorDetailAnswer implements ErrorDetail {
  @ApiProperty({
    description: 'The field, parameter or header, such as `name` or `operations.17.name`.',
  })
  path!: string;

  @ApiProperty({ description: 'What is wrong with it, beginning with its name.' })
  message!: string;
}

/** What every request that fails is answered with. */
export class ApiErrorAnswer {
  @ApiProperty({ type: 'integer', description: 'The status of the answer.' })
  statusCode!: number;

  @ApiProperty({ ...oneOf('ErrorCode') })
  code!: ErrorCode;

  @ApiProperty({ description: 'What happened, and what to mend.' })
  message!: string;

  @ApiProperty({
    ...{ type: [ErrorDetailAnswer], required: false },
    description: 'What is wrong with the input, field by field.',
  })
  details?: readonly ErrorDetail[];
}
