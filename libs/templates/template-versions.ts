import { Injectable } from '@nestjs/common';
import { Database, Keysets, type Page, type PageRequest } from '#database';
import { contentInPage, JsonText, pageWindow } from '#documents';
import { DomainError } from '#errors';
import {
  authorise,
  authoriseList,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
} from '#workspaces';

/** A template as it was after one of its changes. A version never changes. */
export interface TemplateVersion {
  version: number;
  name: string;
  content: JsonText;
  createdAt: Date;
  createdBy: string;
}

// The largest integer of PostgreSQL.
const MAX_VERSION = 2_147_483_647;

const NEWEST_FIRST = 'version.version DESC';

type VersionRow = Omit<TemplateVersion, 'content'> & { content: string };

const VERSION_COLUMNS = `version.version, version.name, version.created_at AS "createdAt",
  version.created_by AS "createdBy"`;

@Injectable()
export class TemplateVersions {
  constructor(
    private readonly database: Database,
    private readonly keysets: Keysets,
  ) {}

  /** Newest first. */
  async list(
    actor: Actor,
    templateId: string,
    { limit, cursor, content }: PageRequest & { content: boolean },
  ): Promise<Page<TemplateVersion | Omit<TemplateVersion, 'content'>>> {
    const keyset = this.keysets.forList(['versions', templateId], [MAX_VERSION]);
    const rows = await this.database.query<CallerRow & VersionRow & { id: string | null }>(
      `SELECT ${callerColumns('template.id')}, page.* FROM users caller
       LEFT JOIN templates template ON template.id = $2
       ${joinMember('template.workspace_id')}
       LEFT JOIN LATERAL (
         SELECT version.template_id AS id, ${VERSION_COLUMNS}
           ${content ? `, ${contentInPage('version')}` : ''}
         FROM (
           SELECT * FROM template_versions version
           WHERE version.template_id = template.id AND version.version < $3
           ORDER BY ${NEWEST_FIRST} LIMIT $4
         ) version ${content ? pageWindow(NEWEST_FIRST) : ''}
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.version DESC`,
      [actor.userId, templateId, ...keyset.after(cursor), limit + 1],
    );
    const versions = authoriseList(rows, 'viewer', 'template').map(({ id, ...version }) => version);
    const page = keyset.page(versions, limit, ({ version }) => [version]);
    return content ? { ...page, data: page.data.map(toVersion) } : page;
  }

  async get(actor: Actor, templateId: string, versionNumber: number): Promise<TemplateVersion> {
    const [row] = await this.database.query<CallerRow & VersionRow>(
      `SELECT ${callerColumns('template.id')}, ${VERSION_COLUMNS}, version.content::text AS content
       FROM users caller
       LEFT JOIN templates template ON template.id = $2
       LEFT JOIN template_versions version
         ON version.template_id = template.id AND version.version = $3
       ${joinMember('template.workspace_id')}
       WHERE caller.id = $1`,
      [actor.userId, templateId, versionNumber],
    );
    const version = authorise(row, 'viewer', 'template');
    if ((version.version as number | null) === null) throw DomainError.notFound('version');
    return toVersion(version);
  }
}

const toVersion = (row: VersionRow): TemplateVersion => ({
  ...row,
  content: new JsonText(row.content),
});
