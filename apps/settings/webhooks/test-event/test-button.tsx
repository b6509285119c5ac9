import { Button, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { testEvent } from '../../texts/webhooks/test-event.js';
import { useWebhook } from '../webhook-queries.js';
import type { TestEvent } from './use-test-event.js';

const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true };

interface TestButtonProps {
  test: TestEvent;
  /** Whether the test is the main action of the page. */
  isPrimary?: boolean;
}

/** Sends a test event. The button is never `disabled`, because it would lose the keyboard focus. */
export function TestButton({ test, isPrimary = false }: TestButtonProps) {
  const { button, send, sendNow } = test;
  const isDisabled = useWebhook().data?.webhook.status === 'disabled';
  return (
    <Tooltip
      label={testEvent.disabled}
      disabled={!isDisabled}
      events={TOOLTIP_EVENTS}
      multiline
      maw={280}
    >
      <Button
        ref={button}
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={<IconSend size={16} />}
        aria-disabled={isDisabled}
        data-disabled={isDisabled || undefined}
        onClick={() => {
          if (isDisabled || send.isPending) return;
          sendNow.reset();
          send.mutate();
        }}
      >
        {testEvent.send}
      </Button>
    </Tooltip>
  );
}
