import { ApiProperty } from '@nestjs/swagger';
import type { ErrorCode, ErrorDetail } from '#errors';
import { enumProperty } from '../validation/enums.js';

class ErrorDetailResponse implements ErrorDetail {
  @ApiProperty({
    description: 'The invalid field, parameter or header, such as `name` or `operations.17.name`.',
  })
  path!: string;

  @ApiProperty({ description: 'What is wrong, beginning with the name of the field.' })
  message!: string;
}

export class ApiErrorResponse {
  @ApiProperty({ type: 'integer', description: 'The status of the response.' })
  statusCode!: number;

  @ApiProperty({ ...enumProperty('ErrorCode') })
  code!: ErrorCode;

  @ApiProperty({ description: 'What is wrong, and what to do about it.' })
  message!: string;

  @ApiProperty({
    type: [ErrorDetailResponse],
    required: false,
    description: 'What is wrong with the input, field by field.',
  })
  details?: readonly ErrorDetail[];
}
