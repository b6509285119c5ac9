import type { ReactNode } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { EmptyState } from '../../states/empty-state.js';
import { texts } from '../../texts/index.js';

/** Wraps a view that requires the `admin` role. Readers with a lower role see an explanation instead. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const isAdmin = useHasRole('admin');
  const { forbiddenTitle, forbiddenText } = texts.common;
  if (!isAdmin) return <EmptyState title={forbiddenTitle} text={forbiddenText('admin')} />;
  return children;
}
