import { Controller, Get, Headers, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { ProviderMessages, Users, type Actor } from '#identity';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/address.js';
import { Operates } from '../http/operation.js';
import { CurrentActor } from './actor.decorator.js';
import { CurrentUserAnswer, ReceivedAnswer } from './auth.answers.js';

@ApiTags('Authentication')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly users: Users,
    private readonly providerMessages: ProviderMessages,
  ) {}

  @Operates({
    ...{ id: 'getCurrentUser', summary: 'Get the current user', answer: CurrentUserAnswer },
    description: 'The user of the token, who is made when it is seen for the first time.',
  })
  @Get('me')
  async me(@CurrentActor() actor: Actor) {
    return { user: await this.users.me(actor) };
  }

  /** Some providers count only 200 as a success. */
  @Operates({
    ...{ id: 'receiveProviderMessage', summary: 'Take a message of the identity provider' },
    description:
      'Called by the identity provider, which proves itself by its signature and has a form of its own.',
    ...{ answer: ReceivedAnswer, isPublic: true, keepsBody: true },
    errors: {
      unauthorized: 'It does not come from the provider, or not unchanged.',
      not_found: 'No messages are expected here: `AUTH_WEBHOOK_SECRET` is not set.',
      unavailable: 'It cannot be kept just now; send it again.',
    },
  })
  @ApiConsumes('application/json', 'application/cloudevents+json')
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @Post('webhook')
  async webhook(
    @Req() request: FastifyRequest<{ Body?: Buffer }>,
    @Headers() headers: Record<string, string>,
  ) {
    const { body = Buffer.alloc(0) } = request;
    await this.providerMessages.receive({ body, headers }, addressOf(request));
    return { received: true };
  }
}
