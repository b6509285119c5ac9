import { Injectable } from '@nestjs/common';
import { Reads } from '#database';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { FROM_ENDPOINT } from '../endpoints/endpoint.js';
import {
  selectSteps,
  toStatistics,
  type Statistics,
  type StepRow,
} from '../statistics/statistics.js';
import {
  resolveRange,
  stepSeconds,
  type StatisticsRequest,
} from '../statistics/statistics-range.js';

/**
 * Selects the statistics of the endpoint or workspace $2 for the caller $1, one row for each time step. Reads no
 * statistics if the caller is not an admin.
 */
const selectStatistics = (subjectId: string, from: string): string =>
  `SELECT ${callerColumns(subjectId)}, step.* ${from}
   LEFT JOIN LATERAL (
     ${selectSteps(`CASE WHEN member.role IN (${rolesAtLeast('admin')}) THEN ${subjectId} END`, {
       from: '$3',
       to: '$4',
       seconds: '$5::integer',
     })}
   ) step ON true WHERE caller.id = $1`;

const SELECT_OF_ENDPOINT = selectStatistics('endpoint.id', FROM_ENDPOINT);
const SELECT_OF_WORKSPACE = selectStatistics('workspace.id', fromCallerInWorkspace('$2'));

/** Reports how many deliveries succeeded and failed over time, and how fast receivers responded. */
@Injectable()
export class DeliveryStatistics {
  constructor(private readonly reads: Reads) {}

  readForEndpoint(actor: Actor, id: string, request: StatisticsRequest): Promise<Statistics> {
    return this.read(SELECT_OF_ENDPOINT, 'webhook', actor, id, request);
  }

  /** Sums up the statistics of all endpoints of a workspace, including deleted endpoints. */
  readForWorkspace(
    actor: Actor,
    workspaceId: string,
    request: StatisticsRequest,
  ): Promise<Statistics> {
    return this.read(SELECT_OF_WORKSPACE, 'workspace', actor, workspaceId, request);
  }

  private async read(
    statement: string,
    resourceName: string,
    actor: Actor,
    subjectId: string,
    request: StatisticsRequest,
  ): Promise<Statistics> {
    const range = resolveRange(request);
    const steps = await this.reads.run(actor, async ({ query }) => {
      const rows = await query<CallerRow & (StepRow | { at: null })>(statement, [
        actor.userId,
        subjectId,
        range.from,
        range.to,
        stepSeconds(range.step),
      ]);
      // If there are no steps, PostgreSQL returns one row whose step columns are null.
      return (rows.length === 0 ? [undefined] : rows).map((row) =>
        authorise(row, 'admin', resourceName),
      );
    });
    return toStatistics(
      range,
      steps.filter((step): step is StepRow => step.at !== null),
    );
  }
}
