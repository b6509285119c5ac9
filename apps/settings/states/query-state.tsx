import { GalleyError } from '#client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { EmptyState } from './empty-state.js';
import { ErrorAlert } from './error-alert.js';
import { NotFound } from './not-found.js';

interface QueryStateProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Must be as large as the loaded content, so that nothing moves when the data arrives. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Shows the state of a query: a skeleton while the data loads, then the data, or the reason why there is no
 * data. If a later read fails, the data of the earlier read stays visible below the error.
 */
export function QueryState<Data>({ query, skeleton, children }: QueryStateProps<Data>) {
  const { data, error, isPending } = query;
  if (error instanceof GalleyError && error.statusCode === 404) return <NotFound />;
  if (error instanceof GalleyError && error.statusCode === 403) {
    return <EmptyState title={texts.common.forbiddenTitle} text={texts.common.noAccessText} />;
  }
  const alert = error && <ErrorAlert error={error} onRetry={() => void query.refetch()} />;
  if (data !== undefined) {
    return (
      <>
        {alert}
        {children(data)}
      </>
    );
  }
  return isPending ? skeleton : alert;
}
