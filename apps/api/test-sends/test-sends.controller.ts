import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TestSends } from '#test-sends';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { SendTestEmailDto } from './test-sends.dto.js';
import { SentTestEmailResponse } from './test-sends.responses.js';

@ApiTags('Test emails')
@Controller('api/templates/:id')
export class TestSendsController {
  constructor(private readonly testSends: TestSends) {}

  @Operation({
    id: 'sendTestEmail',
    summary: 'Send a test email',
    role: 'editor',
    description:
      'Renders a version of the template and sends it as an email, with HTML and plain text and with `[Test]` before the subject. The subject is the `title` of the document, or else the name of the template. The response comes when the mail server has accepted the email, after at most 15 seconds. Each request sends an email, also a repeated one. A user or API key may send 20 test emails an hour (`RATE_LIMIT_TEST_SENDS`). Each test email adds an entry to the audit log.',
    response: SentTestEmailResponse,
    errors: {
      conflict:
        'The operator of Galley has configured no mail server, or the mail server refused the email. `message` has the reply of the mail server.',
      too_many_requests:
        'You have sent too many test emails in the last hour, or too many requests. Retry after `Retry-After` seconds.',
      unavailable:
        'The mail server refused the email for now, did not respond in time or could not be reached, or too many documents are being rendered. `message` says which. Retry after `Retry-After` seconds.',
    },
  })
  @Post('test-send')
  send(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() body: SendTestEmailDto,
    @CurrentSlot() slot: Slot,
  ) {
    return this.testSends.send(actor, id, body, slot);
  }
}
