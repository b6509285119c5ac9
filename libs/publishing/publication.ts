export const publicationStatuses = ['scheduled', 'published', 'unpublished'] as const;
export type PublicationStatus = (typeof publicationStatuses)[number];

/** A change of a template's published version in an environment. The change has taken effect or is scheduled. */
export interface Publication {
  id: string;
  templateId: string;
  environment: string;
  status: PublicationStatus;
  /** Null if the template was unpublished. */
  version: number | null;
  note: string;
  /** When the publication took effect or, for a scheduled publication, when it is due. */
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
