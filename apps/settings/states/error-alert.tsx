import { GalleyError } from '#client';
import { Alert, Button, Text } from '@mantine/core';
import { texts } from '../texts/index.js';

interface ErrorAlertProps {
  error: Error;
  onRetry?: () => void;
}

/** Shows the message of an API error, and the request id, by which operators find the request in the logs. */
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
