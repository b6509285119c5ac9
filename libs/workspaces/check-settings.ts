import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork } from '#database';
import { authorise, callerColumns, fromCallerInWorkspace, type Actor } from './access.js';
import type { CallerRow } from './access.js';
import { audit } from './audit-log.js';
import { lockWorkspace } from './workspaces.js';

/** The severity that a workspace gives to the findings of a rule. `off` disables the rule. */
export const checkLevels = ['off', 'info', 'warning', 'error'] as const;
export type CheckLevel = (typeof checkLevels)[number];

/** How a workspace checks its templates. */
export interface WorkspaceCheckSettings {
  /** The levels that differ from the default, by the name of the rule. `libs/rendering` defines the rules. */
  levels: Record<string, CheckLevel>;
  /** Whether errors prevent a version from being published. */
  errorsBlockPublishing: boolean;
}

const COLUMNS = `workspace.check_levels AS levels,
  workspace.errors_block_publishing AS "errorsBlockPublishing"`;

@Injectable()
export class CheckSettings {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(actor: Actor, workspaceId: string): Promise<WorkspaceCheckSettings> {
    const [row] = await this.database.query<CallerRow & WorkspaceCheckSettings>(
      `SELECT ${callerColumns('workspace.id')}, ${COLUMNS} ${fromCallerInWorkspace('$2')}
       WHERE caller.id = $1`,
      [actor.userId, workspaceId],
    );
    return authorise(row, 'viewer', 'workspace');
  }

  /**
   * Returns the settings of a template's workspace without checking access; undefined if the template does not exist.
   */
  async getForTemplate(templateId: string): Promise<WorkspaceCheckSettings | undefined> {
    const [row] = await this.database.query<WorkspaceCheckSettings>(
      `SELECT ${COLUMNS} FROM documents template
       JOIN workspaces workspace ON workspace.id = template.workspace_id WHERE template.id = $1`,
      [templateId],
    );
    return row;
  }

  /**
   * Changes only the given settings. `levels` replaces all levels.
   * @param requireMatch throws if the caller has not seen the current settings.
   */
  change(
    actor: Actor,
    workspaceId: string,
    { levels, errorsBlockPublishing }: Partial<WorkspaceCheckSettings>,
    requireMatch?: (current: WorkspaceCheckSettings) => void,
  ): Promise<WorkspaceCheckSettings> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      if (requireMatch) {
        const [current] = await transaction.query<WorkspaceCheckSettings>(
          `SELECT ${COLUMNS} FROM workspaces workspace WHERE id = $1`,
          [workspaceId],
        );
        if (current) requireMatch(current);
      }
      const [changed] = await transaction.query<WorkspaceCheckSettings>(
        `UPDATE workspaces AS workspace SET check_levels = coalesce($2::jsonb, check_levels),
           errors_block_publishing = coalesce($3::boolean, errors_block_publishing)
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [workspaceId, levels && JSON.stringify(levels), errorsBlockPublishing],
      );
      if (!changed) throw new Error('A workspace vanished while it was locked.');
      audit(transaction, {
        actor,
        workspaceId,
        action: 'workspace.checks_changed',
        targetId: workspaceId,
        details: { ...changed },
      });
      return noEvent(changed, 'workspaces have no events');
    });
  }
}
