import type { DeliveryDetails } from '#client';
import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatDuration } from '../../controls/format.js';
import { LinkAnchor } from '../../controls/links.js';
import { useNow } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { useDelivery } from '../delivery-queries.js';
import classes from './details.module.css';
import { words } from './texts.js';

export interface Retried {
  /** The id of the delivery that gets the new attempt. Retrying a successful delivery creates a new delivery. */
  id: string;
  /** The number of attempts that this delivery had before the retry. */
  attempts: number;
  startedAt: number;
}

const REFRESH_MS = 700;
// Longer than an attempt can take (15 s).
const SLOW_MS = 20_000;
const { retried: retryTexts } = words;

/** The result of a retry. Appears below the button immediately, and stays until the user leaves the page. */
export function RetryResult({ retried, shownId }: { retried: Retried; shownId: string }) {
  const { data, error } = useDelivery(retried.id, REFRESH_MS);
  const now = useNow(1_000);
  const workspaceId = useWorkspaceId();
  const webhookId = useWebhookId();
  const isNew = retried.id !== shownId;
  const result = data && describeResult(data, retried.attempts, isNew);
  if (error && data === undefined) return <ErrorAlert error={error} />;
  const sending = isNew ? retryTexts.sendingNew : retryTexts.sending;
  const isSlow = now - retried.startedAt > SLOW_MS;
  return (
    <Alert
      role="status"
      variant="light"
      color={result ? (result.isSuccess ? 'green' : 'red') : 'blue'}
      icon={
        result ? result.isSuccess ? <IconCircleCheck /> : <IconAlertCircle /> : <Loader size={18} />
      }
      className={classes['result'] ?? ''}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{result?.text ?? (isSlow ? retryTexts.slow : sending)}</Text>
        {isNew && (
          <LinkAnchor
            size="sm"
            to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ workspaceId, webhookId, deliveryId: retried.id }}
          >
            {retryTexts.showNew}
          </LinkAnchor>
        )}
      </Group>
    </Alert>
  );
}

function describeResult(
  { status, attempts, lastAttempt }: DeliveryDetails,
  attemptsBefore: number,
  isNew: boolean,
): { isSuccess: boolean; text: string } | undefined {
  if (attempts > attemptsBefore && lastAttempt) {
    const { stage, error, statusCode, durationMs } = lastAttempt;
    if (stage === null) {
      const succeeded = isNew ? retryTexts.succeededNew : retryTexts.succeeded;
      return { isSuccess: true, text: succeeded(String(statusCode), formatDuration(durationMs)) };
    }
    const failed = isNew ? retryTexts.failedNew : retryTexts.failed;
    return { isSuccess: false, text: failed(error ?? stage) };
  }
  if (status === 'cancelled' || status === 'held')
    return { isSuccess: false, text: retryTexts[status] };
  return undefined;
}
