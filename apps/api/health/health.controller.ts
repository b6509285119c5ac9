import { Controller, Get, Logger } from '@nestjs/common';
import { Database } from '#database';
import { DomainError } from '#errors';
import { Public } from '../auth/public.decorator.js';

/** For whoever runs Galley: `live` says that the process answers, `ready` that it can do its work. */
@Public()
@Controller('health')
export class HealthController {
  private readonly logger = new Logger(HealthController.name);

  constructor(private readonly database: Database) {}

  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready() {
    const ready = await this.database.isReady().catch((error: unknown) => {
      this.logger.error({ err: error, stage: 'readiness' });
      return false;
    });
    if (!ready) throw DomainError.unavailable('The database does not answer or is not migrated.');
    return { status: 'ok' };
  }
}
