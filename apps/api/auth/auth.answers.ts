import { ApiProperty } from '@nestjs/swagger';
import type { User } from '#identity';
import { ID } from '../http/schemas.js';

class UserAnswer implements User {
  @ApiProperty({ ...ID, description: '`userId` where members are listed and added.' })
  id!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  email!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  firstName!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  lastName!: string;
}

export class CurrentUserAnswer {
  @ApiProperty({
    type: UserAnswer,
    description: 'Whose token it is; of an API key, as whom it acts.',
  })
  user!: UserAnswer;
}

export class ReceivedAnswer {
  @ApiProperty({ enum: [true], description: 'It need not be sent again.' })
  received!: true;
}
