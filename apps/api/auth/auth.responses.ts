import { ApiProperty } from '@nestjs/swagger';
import type { User } from '#identity';
import { ID_SCHEMA } from '../validation/schemas.js';

class UserResponse implements User {
  @ApiProperty({ ...ID_SCHEMA, description: 'The `userId` of members.' })
  id!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  email!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  firstName!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  lastName!: string;
}

export class CurrentUserResponse {
  @ApiProperty({
    type: UserResponse,
    description: 'The user of the token, or the user that the API key acts as.',
  })
  user!: UserResponse;
}

export class ReceivedResponse {
  @ApiProperty({ enum: [true], description: 'The message was received; do not send it again.' })
  received!: true;
}
