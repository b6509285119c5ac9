import { renderTemplate } from '#client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/api-context.js';
import { useDocumentId } from '../kinds/kind-context.js';

export type SampleData = Record<string, unknown>;

/** A version as an email, with data if there is some. */
export function useRendered(version: number, data?: SampleData) {
  const client = useClient();
  const id = useDocumentId();
  return useQuery({
    queryKey: ['rendered', id, version, data],
    queryFn: async ({ signal }) => {
      const body = { version, format: 'all' as const, ...(data && { data }) };
      const { data: rendered } = await renderTemplate({ client, path: { id }, body, signal });
      return { ...rendered, html: rendered.html ?? '', text: rendered.text ?? '' };
    },
    // While the reader types data, the email stays.
    placeholderData: keepPreviousData,
    // A version never changes, but the modules that it follows may.
    staleTime: 10_000,
  });
}
