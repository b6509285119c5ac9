import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { commit, version } from '#config';
import { Readiness } from '#health';

const RETRY_AFTER_S = 1;
const HEALTHY = { status: 'ok', version, commit: commit ?? null };

/** Health checks: `live` reports that the process responds, and `ready` reports whether the worker can do its work. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  live() {
    return HEALTHY;
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const message = await this.readiness.findProblem();
    if (message === undefined) return HEALTHY;
    reply.header('retry-after', RETRY_AFTER_S);
    throw new ServiceUnavailableException({ statusCode: 503, message });
  }
}
