import type { Attempt, DeliveryDetails } from '#client';
import { Alert, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClockPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatDuration, formatWait } from '../../controls/format.js';
import { LinkAnchor } from '../../controls/links.js';
import { useNow } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { explainFailure } from '../../deliveries/outcomes.js';
import { FailureAdvice } from '../../deliveries/parts.js';
import { texts } from '../../texts.js';
import { useWebhookId } from '../webhook-queries.js';
import type { TestEvent } from './test-button.js';
import classes from './test-event.module.css';
import { outcomeOf, remainingPause } from './test-state.js';
import { words } from './texts.js';

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
          <Text size="sm">{words.nextAttempt(formatWait(Date.parse(nextAttemptAt) - now))}</Text>
        )}
        <LinkAnchor
          to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ ...params, deliveryId: delivery.id }}
          size="sm"
        >
          {words.showDelivery}
        </LinkAnchor>
      </Group>
    </TestAlert>
  );
}

function titleOf(delivery: DeliveryDetails): string {
  const outcome = outcomeOf(delivery);
  return outcome === 'failed'
    ? words.failed
    : words[outcome](delivery.lastAttempt?.statusCode ?? 0);
}

function AttemptResult({ attempt }: { attempt: Attempt }) {
  const { statusCode, durationMs, error, responseBody } = attempt;
  const explanation = explainFailure(attempt);
  const duration = formatDuration(durationMs);
  return (
    <>
      {/* The title of the panel already contains the response status. */}
      {explanation && statusCode === null && (
        <Text size="sm" fw={600}>
          {explanation.title}
        </Text>
      )}
      <Text size="sm">
        {statusCode === null ? words.noResponse(duration, error ?? '') : words.response(duration)}
      </Text>
      {explanation && <FailureAdvice {...explanation} />}
      {responseBody !== null &&
        (responseBody === '' ? (
          <Text size="sm">{words.emptyBody}</Text>
        ) : (
          <Code
            block
            mah={240}
            tabIndex={0}
            aria-label={words.body}
            className={classes['response'] ?? ''}
          >
            {responseBody}
          </Code>
        ))}
    </>
  );
}

/**
 * Shows a test that has no result yet: how long the webhook stays paused, and a button that sends the test immediately.
 */
export function TestWaiting({ test }: { test: TestEvent }) {
  const now = useNow(1_000);
  const { button, delivery, sendNow } = test;
  const pause = delivery.data ? remainingPause(delivery.data, now) : 0;
  if (pause === 0) {
    const loader = <Loader size={18} />;
    return <TestAlert test={test} color="gray" icon={loader} title={words.waiting} />;
  }
  return (
    <TestAlert
      test={test}
      color="orange"
      icon={<IconClockPause />}
      title={words.paused(formatWait(pause))}
    >
      <Text size="sm">{words.pausedText}</Text>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        onClick={() => {
          button.current?.focus();
          sendNow.mutate();
        }}
      >
        {words.sendNow}
      </Button>
      {sendNow.error && <ErrorAlert error={sendNow.error} />}
    </TestAlert>
  );
}

interface TestAlertProps {
  test: TestEvent;
  color: string;
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}

/** An alert with the state of a test, and with a close button. */
function TestAlert({ test, color, icon, title, children }: TestAlertProps) {
  return (
    <Alert
      variant="outline"
      color={color}
      icon={icon}
      title={title}
      withCloseButton
      closeButtonLabel={texts.common.close}
      onClose={() => {
        test.button.current?.focus();
        test.send.reset();
      }}
      classNames={{ body: classes['body'] ?? '', title: classes['title'] ?? '' }}
    >
      {children !== undefined && (
        <Stack gap="xs" c="var(--mantine-color-text)">
          {children}
        </Stack>
      )}
    </Alert>
  );
}
