import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { Database } from '#database';

/** For whoever runs Galley: `live` says that the process answers, `ready` that it can do its work. */
@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready() {
    if (!(await this.database.isReady())) throw new ServiceUnavailableException();
    return { status: 'ok' };
  }
}
