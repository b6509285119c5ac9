import { GalleyError } from '#client';
import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHasRole } from '../api/workspaces.js';
import { texts } from '../texts.js';

interface QueryStateProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Must be as large as the loaded content, to avoid a layout shift when the data arrives. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Shows the state of a query: a skeleton while it loads, then either the data or the reason why there is none. If a
 * refetch fails, the earlier data stays visible below the error.
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

interface ErrorAlertProps {
  error: Error;
  onRetry?: () => void;
}

/** Shows an error's message and its request id, which operators need to find the request in the logs. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const { message, requestId } = describe(error);
  return (
    <Alert color="red" title={texts.common.errorTitle} role="alert">
      <Text size="sm">{message}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {texts.common.requestId(requestId)}
        </Text>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          {texts.common.retry}
        </Button>
      )}
    </Alert>
  );
}

function describe(error: Error): { message: string; requestId?: string | undefined } {
  if (!(error instanceof GalleyError)) return { message: error.message };
  const { code, message, requestId } = error;
  if (code === 'connection_failed') return { message: texts.common.connectionFailed };
  return { message, requestId };
}

/** Shown instead of an empty view or list. `children` can offer the next step. */
export function EmptyState(props: { title: string; text?: string; children?: ReactNode }) {
  const { title, text, children } = props;
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      {text !== undefined && (
        <Text c="dimmed" maw={480}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}

export function NotFound() {
  return <EmptyState title={texts.common.notFoundTitle} text={texts.common.notFoundText} />;
}

/** Wraps a view that requires the `admin` role. Users with a lower role see an explanation instead. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const isAdmin = useHasRole('admin');
  const { forbiddenTitle, forbiddenText } = texts.common;
  if (!isAdmin) return <EmptyState title={forbiddenTitle} text={forbiddenText('admin')} />;
  return children;
}

/** A placeholder for a view that is loading, with the shape of a title and rows. */
export function PageSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-busy aria-label={texts.common.loading} role="status">
      <Skeleton h={34} w={200} mb="md" />
      <RowsSkeleton rows={rows} />
    </Stack>
  );
}

export function RowsSkeleton({ rows, height = 52 }: { rows: number; height?: number }) {
  return (
    <Stack gap="xs">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  );
}
