import { checkTemplate, GalleyError, render, renderTemplate, type RenderTemplate } from '#client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { templates, useDocumentId } from '../kinds.js';
import { markDocument, type MarkedDocument } from './marked-document.js';
import type { SampleData } from './sample-values.js';

/** A version to preview. The latest version is shown with the current state of its modules. */
export interface PreviewedVersion {
  number: number;
  isLatest: boolean;
}

// A version never changes, but the modules that the latest version uses may change.
const FRESH_MS = 10_000;

/** Reads the document of a version with its modules expanded, and the findings of the check. */
export function useChecked(version: PreviewedVersion) {
  const client = useClient();
  const id = useDocumentId();
  return useQuery({
    queryKey: ['checked', id, version.number],
    queryFn: async ({ signal }) => {
      const query = { expand: 'modules' as const };
      const [document, checked] = await Promise.all([
        version.isLatest
          ? templates.read({ client, path: { id }, query, signal })
          : templates.readVersion({
              client,
              path: { id, version: version.number },
              query,
              signal,
            }),
        checkTemplate({ client, path: { id }, body: versionBody(version), signal }),
      ]);
      const content = document.data.content as SampleData;
      return { ...checked.data, content, marked: markDocument(content) };
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
}

/** Renders a version as an email. `data` supplies the values of the merge tags. */
export function useRendered(
  version: PreviewedVersion,
  { data, marked, checkedAt }: RenderOptions = {},
) {
  const client = useClient();
  const id = useDocumentId();
  return useQuery({
    queryKey: ['rendered', id, version.number, data, checkedAt],
    queryFn: async ({ signal }) => {
      const options = { format: 'all' as const, ...(data && { data }) };
      const renderStored = () => {
        const body: RenderTemplate = { ...versionBody(version), ...options };
        return renderTemplate({ client, path: { id }, body, signal });
      };
      const renderMarked = ({ content }: MarkedDocument) =>
        render({ client, body: { content, ...options }, signal }).catch((error: unknown) => {
          // With expanded modules and the added classes, the document may exceed the size limit for requests.
          if (error instanceof GalleyError && error.statusCode === 413) return renderStored();
          throw error;
        });
      const { data: rendered } = await (marked ? renderMarked(marked) : renderStored());
      return { ...rendered, html: rendered.html ?? '', text: rendered.text ?? '' };
    },
    // The email stays visible while the user types data.
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
}

const versionBody = ({ number, isLatest }: PreviewedVersion) =>
  isLatest ? {} : { version: number };
