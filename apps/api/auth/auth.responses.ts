import { ApiProperty } from '@nestjs/swagger';
import type { User } from '#identity';
import { ID_SCHEMA } from '../validation/schemas.js';

class UserResponse implements User {
  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of the user. If the user is a member of a workspace, this id is the `userId` of the member.',
  })
  id!: string;

  @ApiProperty({
    description: 'The email address; empty if the identity provider did not supply an address.',
  })
  email!: string;

  @ApiProperty({
    description: 'The first name; empty if the identity provider did not supply a first name.',
  })
  firstName!: string;

  @ApiProperty({
    description: 'The last name; empty if the identity provider did not supply a last name.',
  })
  lastName!: string;
}

export class CurrentUserResponse {
  @ApiProperty({
    type: UserResponse,
    description: 'The user that the token identifies, or the user that the API key acts as.',
  })
  user!: UserResponse;
}

export class ReceivedResponse {
  @ApiProperty({ enum: [true], description: 'The message was received; do not send it again.' })
  received!: true;
}
