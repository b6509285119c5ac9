export const publicationStatuses = ['scheduled', 'published', 'unpublished'] as const;
export type PublicationStatus = (typeof publicationStatuses)[number];

/** A past or scheduled change of the version of a template that is published in an environment. */
export interface Publication {
  id: string;
  templateId: string;
  environment: string;
  status: PublicationStatus;
  /** Null if the template was unpublished. */
  version: number | null;
  note: string;
  /** When the publication took effect, or when it is due. */
  at: Date;
  createdBy: string;
  createdAt: Date;
}

const columnsOf = (row: string, status: string): string =>
  `${row}.id, ${row}.template_id AS "templateId", ${row}.environment, ${status} AS status,
  ${row}.version, ${row}.note, ${row}.at, ${row}.created_by AS "createdBy", ${row}.created_at AS "createdAt"`;

/** The columns of a `Publication` in a SELECT from `template_publications`. */
export const publicationColumns = (row: string): string =>
  columnsOf(row, `CASE WHEN ${row}.version IS NULL THEN 'unpublished' ELSE 'published' END`);

/** The columns of a `Publication` in a SELECT from `scheduled_publications`. */
export const scheduledColumns = (row: string): string => columnsOf(row, `'scheduled'`);
