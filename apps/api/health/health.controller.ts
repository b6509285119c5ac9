import { Controller, Get } from '@nestjs/common';
import { commit, version } from '#config';
import { DomainError } from '#errors';
import { Readiness } from '#health';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../operations/operation.js';
import { HealthResponse } from './health.responses.js';

const HEALTHY: HealthResponse = { status: 'ok', version, commit: commit ?? null };

/**
 * Health checks for operators. `live` reports that the process responds. `ready` reports that the process can do its
 * work.
 */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Operation({
    id: 'getLiveness',
    summary: 'Check that the process responds',
    response: HealthResponse,
    isPublic: true,
    description: 'For liveness probes: restart the process if it does not respond.',
  })
  @Get('live')
  live() {
    return HEALTHY;
  }

  @Operation({
    id: 'getReadiness',
    summary: 'Check that the process can do its work',
    response: HealthResponse,
    isPublic: true,
    description:
      'For readiness probes: do not send requests to the process while it responds with 503.',
    errors: {
      unavailable:
        'The database does not respond or has not been migrated, or `SECRETS_KEYS` lacks a key that encrypts stored secrets. `message` names the problem.',
    },
  })
  @Get('ready')
  async ready() {
    const problem = await this.readiness.findProblem();
    if (problem !== undefined) throw DomainError.unavailable(problem);
    return HEALTHY;
  }
}
