import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { Readiness } from '#health';

/** For operators: `live` says that the process responds, and `ready` says that it can do its work. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready() {
    const message = await this.readiness.findProblem();
    if (message !== undefined) throw new ServiceUnavailableException({ statusCode: 503, message });
    return { status: 'ok' };
  }
}
