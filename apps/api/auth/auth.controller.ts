import { Controller, Get, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ProviderMessages, Users, type Actor } from '#identity';
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

  /** Called by the identity provider, which proves itself by its signature and not by a token. */
  @Public()
  @Post('webhook')
  @HttpCode(204)
  async webhook(@Req() request: { rawBody?: Buffer }, @Headers() headers: Record<string, string>) {
    const header = (name: string) => headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
    await this.providerMessages.receive(request.rawBody ?? Buffer.alloc(0), {
      id: header('id'),
      timestamp: header('timestamp'),
      signature: header('signature'),
    });
  }
}
