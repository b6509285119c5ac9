import type { Attempt, DeliveryDetails } from '#client';
import { Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatDuration, formatWait } from '../../controls/format.js';
import { LinkAnchor } from '../../controls/links.js';
import { useNow } from '../../controls/relative-time.js';
import { explainFailure } from '../../deliveries/outcomes.js';
import { FailureAdvice } from '../../deliveries/parts.js';
import { testEvent } from '../../texts/webhooks/test-event.js';
import { useWebhookId } from '../webhook-queries.js';
import { TestAlert } from './test-alert.js';
import classes from './test-event.module.css';
import { outcomeOf } from './test-state.js';
import type { TestEvent } from './use-test-event.js';

interface TestResultProps {
  test: TestEvent;
  delivery: DeliveryDetails;
}

/** The result of a test: the receiver's response, or the failure. */
export function TestResult({ test, delivery }: TestResultProps) {
  const now = useNow(1_000);
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  const { nextAttemptAt } = delivery;
  const attempt = delivery.attemptsMade.at(-1);
  const isDelivered = delivery.status === 'delivered';
  const Icon = isDelivered ? IconCircleCheck : IconAlertTriangle;
  return (
    <TestAlert
      test={test}
      color={isDelivered ? 'green' : 'red'}
      icon={<Icon />}
      title={titleOf(delivery)}
    >
      {attempt && <AttemptResult attempt={attempt} />}
      <Group gap="xs">
        {!isDelivered && nextAttemptAt !== null && (
          <Text size="sm">
            {testEvent.nextAttempt(formatWait(Date.parse(nextAttemptAt) - now))}
          </Text>
        )}
        <LinkAnchor
          to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ ...params, deliveryId: delivery.id }}
          size="sm"
        >
          {testEvent.showDelivery}
        </LinkAnchor>
      </Group>
    </TestAlert>
  );
}

function titleOf(delivery: DeliveryDetails): string {
  const outcome = outcomeOf(delivery);
  return outcome === 'failed'
    ? testEvent.failed
    : testEvent[outcome](delivery.lastAttempt?.statusCode ?? 0);
}

function AttemptResult({ attempt }: { attempt: Attempt }) {
  const { statusCode, durationMs, error, responseBody } = attempt;
  const explanation = explainFailure(attempt);
  const duration = formatDuration(durationMs);
  return (
    <>
      {/* The title of the panel already names the status of a response. */}
      {explanation && statusCode === null && (
        <Text size="sm" fw={600}>
          {explanation.title}
        </Text>
      )}
      <Text size="sm">
        {statusCode === null
          ? testEvent.noResponse(duration, error ?? '')
          : testEvent.response(duration)}
      </Text>
      {explanation && <FailureAdvice {...explanation} />}
      {responseBody !== null &&
        (responseBody === '' ? (
          <Text size="sm">{testEvent.emptyBody}</Text>
        ) : (
          <Code
            block
            mah={240}
            tabIndex={0}
            aria-label={testEvent.body}
            className={classes['response'] ?? ''}
          >
            {responseBody}
          </Code>
        ))}
    </>
  );
}
