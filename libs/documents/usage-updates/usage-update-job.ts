import { noEvent, type Transaction, type WorkResult } from '#database';
import { DomainError } from '#errors';
import { nextStepAt, selectDueJob, type LongJob } from '#long-jobs';
import type { Actor } from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import { nextRow, TEMPLATE } from '../document/document-type.js';
import { movePins } from '../references/move-pins.js';
import { readNewReferences } from '../references/store-references.js';
import { lockDocument, replaceDocument } from '../write/update-document.js';
import { selectUsingDocuments } from './select-users.sql.js';
import { MAX_FAILURES } from './usage-updates.js';

// A step ends after this time, so that other jobs get their turn. A template takes a few milliseconds, or about a
// hundred if it has the maximum size.
const STEP_MS = 50;
const MAX_TEMPLATES = 20;
// Maximum number of usages that a statement reads, whether or not they match.
const MAX_SCANNED = 1_000;

const SELECT_DUE_UPDATE = selectDueJob('module_usage_updates', 'id');

/**
 * Begins a step of the update $1 and selects the templates of the step. The statement also moves `next_step_at` into
 * the future, so that no other worker begins the same step. `scannedTo` is the last document that was scanned.
 * `isAllOfScan` is true unless the scan found more than `MAX_TEMPLATES` matches.
 */
const BEGIN_STEP = `WITH update AS (
    UPDATE module_usage_updates SET stalls = stalls + 1, next_step_at = ${nextStepAt('true')}
    WHERE id = $1 AND status = 'running' AND next_step_at <= now() RETURNING *
  ), scanned AS (
    SELECT document.* FROM update CROSS JOIN LATERAL (
      ${selectUsingDocuments({
        moduleId: 'update.module_id',
        toVersion: 'update.to_version',
        templateIds: 'update.template_ids',
        userId: 'update.user_id',
        after: 'update.reached',
        limit: String(MAX_SCANNED),
      })}
    ) document
  )
  SELECT update.module_id AS "moduleId", update.user_id AS "userId", to_version AS version,
    (SELECT created_at FROM document_versions
     WHERE document_id = update.module_id AND version = update.to_version) AS "createdAt",
    ARRAY(SELECT id FROM scanned WHERE matches ORDER BY id LIMIT ${MAX_TEMPLATES}) AS "templateIds",
    (SELECT count(*) <= ${MAX_TEMPLATES} FROM scanned WHERE matches) AS "isAllOfScan",
    (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS "scannedTo",
    (SELECT count(*) < ${MAX_SCANNED} FROM scanned) AS "isEnd"
  FROM update`;

interface Step {
  moduleId: string;
  userId: string;
  version: number;
  createdAt: Date;
  templateIds: string[];
  isAllOfScan: boolean;
  scannedTo: string | null;
  isEnd: boolean;
}

// Nothing is written if the update was cancelled, or if another worker has processed the template.
const PROGRESS = `UPDATE module_usage_updates
  SET reached = $2, stalls = 0, next_step_at = ${nextStepAt('false')}`;
const UNLESS_REACHED = "WHERE id = $1 AND status = 'running' AND reached < $2 RETURNING id";

const ADD_DONE = `${PROGRESS}, done = done + 1 ${UNLESS_REACHED}`;
const ADD_FAILURE = `${PROGRESS}, failed = failed + 1,
  failures = CASE WHEN failed < ${MAX_FAILURES} THEN failures || $3::jsonb ELSE failures END
  ${UNLESS_REACHED}`;
const SKIP = `${PROGRESS} ${UNLESS_REACHED}`;
const FINISH = `UPDATE module_usage_updates SET status = 'done', finished_at = now()
  WHERE id = $1 AND status = 'running'`;

/** Moves the pins of templates to another version of a module, one template at a time. */
export class UsageUpdateJob implements LongJob {
  readonly name = 'updates of usages';

  constructor(private readonly store: DocumentStore) {}

  async step(): Promise<number | null> {
    const { query } = this.store.database;
    const [next, afterNext] = await query<{ id: string; dueInMs: number }>(SELECT_DUE_UPDATE);
    if (next === undefined) return null;
    if (next.dueInMs > 0) return next.dueInMs;
    const [step] = await query<Step>(BEGIN_STEP, [next.id]);
    if (step !== undefined) await this.processTemplates(next.id, step);
    return Math.max(0, afterNext?.dueInMs ?? 0);
  }

  private async processTemplates(id: string, step: Step): Promise<void> {
    const { query } = this.store.database;
    const endsAt = performance.now() + STEP_MS;
    for (const templateId of step.templateIds) {
      if (performance.now() > endsAt || !(await this.processTemplate(id, step, templateId))) return;
    }
    if (!step.isAllOfScan) return;
    if (step.isEnd) await query(FINISH, [id]);
    else await query(SKIP, [id, step.scannedTo]);
  }

  /** @returns false if the update was cancelled, or if another worker has processed the template. */
  private async processTemplate(id: string, step: Step, templateId: string): Promise<boolean> {
    try {
      await this.store.unitOfWork.write((transaction) =>
        this.updateTemplate(transaction, id, step, templateId),
      );
      return true;
    } catch (error) {
      if (error instanceof AlreadyProcessed) return false;
      if (!(error instanceof DomainError)) throw error;
      const failure = { templateId, message: error.message };
      const rows = await this.store.database.query(ADD_FAILURE, [
        id,
        templateId,
        JSON.stringify([failure]),
      ]);
      return rows.length > 0;
    }
  }

  /** Takes locks in the same order as a deletion does: the template, the module, the update. */
  private async updateTemplate(
    transaction: Transaction,
    id: string,
    { userId, ...moduleVersion }: Step,
    templateId: string,
  ): Promise<WorkResult<unknown>> {
    const actor: Actor = { userId, ipAddress: null };
    const [template] = await Promise.all([
      lockDocument(transaction, TEMPLATE, actor, templateId),
      // Unlike a worker's other commits, this one waits for the disk. If a crash lost the commit, repeating the work
      // would create a second event with another id.
      transaction.query(`SELECT set_config('synchronous_commit', 'on', true)`),
    ]);
    const content = await movePins(template.content, moduleVersion);
    const isChanged = content.text !== template.content.text;
    const result = isChanged
      ? await replaceDocument(this.store, transaction, TEMPLATE, actor, {
          current: template,
          row: nextRow(TEMPLATE, {}, template),
          content,
          references: await readNewReferences(templateId, content),
        })
      : noEvent(template, 'somebody else has moved the pins meanwhile');
    const rows = await transaction.query(isChanged ? ADD_DONE : SKIP, [id, templateId]);
    if (rows.length === 0) throw new AlreadyProcessed();
    return result;
  }
}

class AlreadyProcessed extends Error {}
