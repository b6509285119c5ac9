import { useParams } from '@tanstack/react-router';
import { createContext, use } from 'react';
import type { Kind } from './kind.js';

const KindContext = createContext<Kind | undefined>(undefined);

/** Says whether the views below show templates or modules. */
export const KindProvider = KindContext.Provider;

export function useKind(): Kind {
  const kind = use(KindContext);
  if (kind === undefined) throw new Error('useKind needs a KindProvider above it.');
  return kind;
}

/** The id of the template or module in the URL. */
export function useDocumentId(): string {
  const { documentId } = useParams({ strict: false });
  if (documentId === undefined) throw new Error('The URL has no document.');
  return documentId;
}
