import { ApiProperty } from '@nestjs/swagger';
import type { SentEmail } from '#mail';

export class SentTestEmailResponse implements SentEmail {
  @ApiProperty({
    type: [String],
    description: 'The address that the mail server has accepted.',
  })
  accepted!: string[];

  @ApiProperty({
    description:
      'The reply of the mail server, on one line and with at most 300 characters. A mail server may accept an email and deliver it later, or not at all.',
  })
  response!: string;

  @ApiProperty({
    description: 'The `Message-ID` header of the email, with which you find it in a mailbox.',
  })
  messageId!: string;
}
