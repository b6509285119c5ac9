import { Controller, Get } from '@nestjs/common';
import { DomainError } from '#errors';
import { Readiness } from '#health';
import { ApiTags } from '@nestjs/swagger';
import { Operates } from '../http/operation.js';
import { HealthAnswer } from './health.answers.js';

/** For whoever runs Galley: `live` says that the process answers, `ready` that it can do its work. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Operates({
    ...{ id: 'getLiveness', summary: 'Tell that the process answers', answer: HealthAnswer },
    ...{ isPublic: true, description: 'Where nothing answers, start it anew.' },
  })
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Operates({
    ...{ id: 'getReadiness', summary: 'Tell that it can do its work', answer: HealthAnswer },
    ...{ isPublic: true, description: 'While it answers 503, send it no requests.' },
    errors: {
      unavailable:
        'The database does not answer or is not migrated, or `SECRETS_KEY` is not that of the stored secrets. The message says which.',
    },
  })
  @Get('ready')
  async ready() {
    const problem = await this.readiness.problem();
    if (problem !== undefined) throw DomainError.unavailable(problem);
    return { status: 'ok' };
  }
}
