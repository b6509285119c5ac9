import {
  check,
  checkTemplate,
  GalleyError,
  render,
  renderTemplate,
  type MailClient,
  type RenderTemplate,
} from '#client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { useDocumentId, useKind } from '../kinds.js';
import { markDocument, type MarkedDocument } from './marked-document.js';
import { documentWith } from './module-document.js';
import type { SampleData } from './sample-values.js';

/** A version to preview. The latest version is shown with the current state of its modules. */
export interface PreviewedVersion {
  number: number;
  isLatest: boolean;
}

// A version never changes, but the modules that the latest version uses may change.
const FRESH_MS = 10_000;

/**
 * Reads the document of a version with its modules expanded, and the findings of the check. A module is shown in a
 * document of its own, so the findings about the whole document are left out.
 */
export function useChecked(version: PreviewedVersion) {
  const client = useClient();
  const id = useDocumentId();
  const kind = useKind();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['checked', id, version.number],
    queryFn: async ({ signal }) => {
      const query = { expand: 'modules' as const };
      const read = async () => {
        const { data } = version.isLatest
          ? await kind.read({ client, path: { id }, query, signal })
          : await kind.readVersion({
              client,
              path: { id, version: version.number },
              query,
              signal,
            });
        return data.content as SampleData;
      };
      if (kind.name === 'module') {
        const content = documentWith(await read());
        const { data } = await check({ client, body: { content, workspaceId }, signal });
        const findings = data.findings.filter(({ path }) => path !== '');
        const counts = { error: 0, warning: 0, info: 0 };
        for (const { severity } of findings) counts[severity]++;
        return { findings, counts, content, marked: markDocument(content) };
      }
      const [content, { data }] = await Promise.all([
        read(),
        checkTemplate({ client, path: { id }, body: versionBody(version), signal }),
      ]);
      const { findings, counts } = data;
      return { findings, counts, content, marked: markDocument(content) };
    },
    staleTime: FRESH_MS,
  });
}

interface RenderOptions {
  data?: SampleData | undefined;
  /** The document with the classes that let the preview find its nodes. */
  marked?: MarkedDocument;
  /**
   * The time at which `marked` was read, in milliseconds since the Unix epoch. A new time renders the email again,
   * because the modules may have changed.
   */
  checkedAt?: number;
  /** The mail client whose limits are applied to the email, approximately. */
  client?: MailClient | undefined;
  /** By default, the language of the document. */
  language?: string | undefined;
}

/** Renders a version as an email. `data` supplies the values of the merge tags. */
export function useRendered(
  version: PreviewedVersion,
  { data, marked, checkedAt, client: mailClient, language }: RenderOptions = {},
) {
  const client = useClient();
  const id = useDocumentId();
  const { name } = useKind();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['rendered', id, version.number, data, checkedAt, mailClient, language],
    queryFn: async ({ signal }) => {
      const like = mailClient && { client: mailClient };
      const inLanguage = language && { language };
      const options = { format: 'all' as const, ...(data && { data }), ...like, ...inLanguage };
      const renderStored = () => {
        const body: RenderTemplate = { ...versionBody(version), ...options };
        return renderTemplate({ client, path: { id }, body, signal });
      };
      const renderMarked = ({ content }: MarkedDocument) =>
        render({ client, body: { content, workspaceId, ...options }, signal }).catch(
          (error: unknown) => {
            // With expanded modules and the added classes, the document may exceed the size limit for requests.
            const isTooLarge = error instanceof GalleyError && error.statusCode === 413;
            if (isTooLarge && name === 'template') return renderStored();
            throw error;
          },
        );
      const { data: rendered } = await (marked ? renderMarked(marked) : renderStored());
      return { ...rendered, html: rendered.html ?? '', text: rendered.text ?? '' };
    },
    // The email stays visible while the user types data.
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
}

export const versionBody = ({ number, isLatest }: PreviewedVersion) =>
  isLatest ? {} : { version: number };
