import { Controller, Get, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ProviderMessages, Users, type Actor } from '#identity';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/address.js';
import { CurrentActor } from './actor.decorator.js';
import { Public } from './public.decorator.js';

@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly users: Users,
    private readonly providerMessages: ProviderMessages,
  ) {}

  @Get('me')
  async me(@CurrentActor() actor: Actor) {
    return { user: await this.users.me(actor) };
  }

  /** Called by the identity provider, which proves itself by its signature. Some count only 200 as a success. */
  @Public()
  @RouteConfig({ keepsBody: true })
  @Post('webhook')
  @HttpCode(200)
  async webhook(
    @Req() request: FastifyRequest<{ Body?: Buffer }>,
    @Headers() headers: Record<string, string>,
  ) {
    const { body = Buffer.alloc(0) } = request;
    await this.providerMessages.receive({ body, headers }, addressOf(request));
    return { received: true };
  }
}
