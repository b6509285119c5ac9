import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeliveryStatistics, HealthReports } from '#webhooks';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { StatisticsQuery, WorkspaceStatisticsQuery } from './statistics.dto.js';
import { HealthReportResponse, StatisticsResponse } from './statistics.responses.js';

const STATISTICS_DESCRIPTION =
  'Galley extends the range to whole steps. The range may have at most 400 steps. Steps begin at multiples of their length in UTC; for example, days begin at midnight. Galley counts an attempt at the time when PostgreSQL recorded it. Galley keeps the counts for 30 days (`RETENTION_DAYS`), like the deliveries.';

@ApiTags('Webhooks')
@Controller('api/webhooks')
export class StatisticsController {
  constructor(
    private readonly statistics: DeliveryStatistics,
    private readonly healthReports: HealthReports,
  ) {}

  @Operation({
    id: 'getWorkspaceWebhookStats',
    summary: 'Get the statistics of all webhooks of a workspace',
    role: 'admin',
    description: `Counts all webhooks of the workspace together, including deleted webhooks. ${STATISTICS_DESCRIPTION}`,
    response: StatisticsResponse,
  })
  @Get('stats')
  ofWorkspace(
    @CurrentActor() actor: Actor,
    @QueryDto() { workspaceId, ...range }: WorkspaceStatisticsQuery,
  ) {
    return this.statistics.readForWorkspace(actor, workspaceId, range);
  }

  @Operation({
    id: 'getWebhookStats',
    summary: 'Get the statistics of a webhook',
    role: 'admin',
    description: STATISTICS_DESCRIPTION,
    response: StatisticsResponse,
  })
  @Get(':id/stats')
  ofWebhook(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @QueryDto() range: StatisticsQuery,
  ) {
    return this.statistics.readForEndpoint(actor, id, range);
  }

  @Operation({
    id: 'getWebhookHealth',
    summary: 'Get the health of a webhook',
    role: 'admin',
    description:
      'Shows why the deliveries of the webhook are waiting: what pauses the webhook and until when, how many deliveries are pending or held, and when Galley will make the next attempt.',
    response: HealthReportResponse,
  })
  @Get(':id/health')
  health(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.healthReports.read(actor, id);
  }
}
