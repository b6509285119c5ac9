import type { Defect } from './defect.ts';

const JOB = 'libs/publishing/publishing-job.ts';
const SCHEDULE = 'libs/publishing/schedule.ts';
const MOVE = 'libs/publishing/move-pointer.sql.ts';
const SCHEDULES = ['test/system/publishing/schedules.test.ts'];
const PUBLISHING = ['test/system/publishing/publishing.test.ts'];

/** Publications, their environments and their times. */
export const publishing: Defect[] = [
  {
    name: 'a publication is made before its time, with another one of its template',
    file: JOB,
    text: 'WHERE workspace_id = $1 AND at <= now() AND environment',
    replacement: 'WHERE workspace_id = $1 AND environment',
    tests: SCHEDULES,
    pattern: 'waits for its time, although',
  },
  {
    name: 'a publication may be scheduled for a time that has just passed',
    file: SCHEDULE,
    text: 'if (at.getTime() <= Date.now()) {',
    replacement: 'if (at.getTime() <= Date.now() - 60_000) {',
    tests: SCHEDULES,
    pattern: 'has just passed',
  },
  {
    name: 'a later schedule postpones an earlier one',
    file: SCHEDULE,
    text: 'next_at = least(turn.next_at, EXCLUDED.next_at)',
    replacement: 'next_at = EXCLUDED.next_at',
    tests: SCHEDULES,
    pattern: 'whatever else is scheduled',
  },
  {
    name: 'publications are made in any order',
    file: JOB,
    text: `AND template_id = ANY ($3)
  ORDER BY at, id`,
    replacement: `AND template_id = ANY ($3)
  ORDER BY id`,
    tests: SCHEDULES,
    pattern: 'comes in the order of the times',
  },
  {
    name: 'a template may have any number of scheduled publications',
    file: SCHEDULE,
    text: 'WHERE template_id = $2) < ${MAX_SCHEDULED}',
    replacement: 'WHERE template_id = $2) >= 0',
    tests: SCHEDULES,
    pattern: 'above the limit of a template',
  },
  {
    name: 'a workspace whose step fails keeps all others waiting',
    file: JOB,
    text: 'if (turn.workspaceId) await',
    replacement: 'if (turn.workspaceId === null) await',
    tests: SCHEDULES,
    pattern: 'put a workspace off whose step fails',
  },
  {
    name: 'publishing the published version again is another publication',
    file: MOVE,
    text: 'WHERE id = $1 AND (SELECT version FROM pointer) IS DISTINCT FROM $3::integer',
    replacement: 'WHERE id = $1',
    tests: PUBLISHING,
    pattern: 'is published once',
  },
  {
    name: 'a publication may get the ETag of an earlier one if the clock is set back',
    file: MOVE,
    text: `FROM template CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
        SELECT at + interval '1 millisecond' FROM template_publications
        WHERE template_id = template.id ORDER BY number DESC LIMIT 1
      )) AS at
    ) moment
    RETURNING *`,
    replacement: `FROM template CROSS JOIN LATERAL (
      SELECT date_trunc('milliseconds', clock_timestamp()) AS at
    ) moment
    RETURNING *`,
    tests: PUBLISHING,
    pattern: 'even if the clock is set back',
  },
];
