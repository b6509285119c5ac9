import { Controller, Get, Headers, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { ProviderMessages, Users } from '#identity';
import { type Actor } from '#workspaces';
import type { FastifyRequest } from 'fastify';
import { ipAddressOf } from '../http/ip-address.js';
import { Operation } from '../operations/operation.js';
import { CurrentActor } from './actor.decorator.js';
import { CurrentUserResponse, ReceivedResponse } from './auth.responses.js';

@ApiTags('Authentication')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly users: Users,
    private readonly providerMessages: ProviderMessages,
  ) {}

  @Operation({
    id: 'getCurrentUser',
    summary: 'Get the current user',
    response: CurrentUserResponse,
    description:
      'Returns the user that the token identifies, or the user that the API key acts as. Galley creates a user when that user first sends a request with a token.',
  })
  @Get('me')
  async getCurrentUser(@CurrentActor() actor: Actor) {
    return { user: await this.users.me(actor) };
  }

  /** Responds with 200, because some providers treat every other status as a failure. */
  @Operation({
    id: 'receiveProviderMessage',
    summary: 'Receive a message from the identity provider',
    description:
      'Only the identity provider sends requests to this route. The provider signs its messages and uses its own format.',
    response: ReceivedResponse,
    isPublic: true,
    rawBody: true,
    errors: {
      unauthorized:
        'The signature is not valid: the message did not come from the identity provider, or it was altered on the way.',
      not_found: 'The route is disabled: `AUTH_WEBHOOK_SECRET` is not set.',
      unavailable: 'The message could not be stored; send it again.',
    },
  })
  @ApiConsumes('application/json', 'application/cloudevents+json')
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @Post('webhook')
  async receiveProviderMessage(
    @Req() request: FastifyRequest<{ Body?: Buffer }>,
    @Headers() headers: Record<string, string>,
  ) {
    const { body = Buffer.alloc(0) } = request;
    await this.providerMessages.receive({ body, headers }, ipAddressOf(request));
    return { received: true };
  }
}
