import { GalleyError, type StoreTranslations } from '#client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useDocumentId, useKind } from '../kinds.js';
import { useRefreshDocument, type ReadDocument } from '../use-document.js';

const translationsKey = (id: string, version: number) => ['translations', id, version] as const;

/** The languages of a version. */
export function useLanguages(version: number) {
  const client = useClient();
  const { listTranslations } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: translationsKey(id, version),
    queryFn: async ({ signal }) =>
      (await listTranslations({ client, path: { id }, query: { version }, signal })).data,
    placeholderData: (previous) => previous,
  });
}

/** The texts of the latest version in a language. */
export function useTexts({ document: { version } }: ReadDocument, language: string) {
  const client = useClient();
  const { readTranslations } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: [...translationsKey(id, version), language],
    queryFn: async ({ signal }) => {
      const path = { id, language };
      return (await readTranslations({ client, path, query: { version }, signal })).data;
    },
    // The texts stay on the page while the next version is read.
    placeholderData: (previous) => (previous?.language === language ? previous : undefined),
  });
}

/** Stores translations, unless somebody else has changed the document in the meantime. */
export function useStoreTranslations({ etag }: ReadDocument, language: string) {
  const client = useClient();
  const { storeTranslations } = useKind();
  const id = useDocumentId();
  const refresh = useRefreshDocument();
  return useMutation({
    mutationFn: async (body: StoreTranslations) => {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      return (await storeTranslations({ client, path: { id, language }, headers, body })).data;
    },
    onSettled: refresh,
  });
}

/** Reads a file for translators. */
export function useTranslationFile(language: string) {
  const client = useClient();
  const { readTranslationsAs } = useKind();
  const id = useDocumentId();
  return useMutation({
    mutationFn: async (format: 'xliff' | 'csv') => {
      const { data } = await readTranslationsAs[format]({ client, path: { id, language } });
      return { format, content: data };
    },
  });
}

export const isStale = (error: Error | null): boolean =>
  error instanceof GalleyError && error.code === 'stale';
