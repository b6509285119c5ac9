import { Button, Loader, Text } from '@mantine/core';
import { IconClockPause } from '@tabler/icons-react';
import { formatWait } from '../../controls/format.js';
import { useNow } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { testEvent } from '../../texts/webhooks/test-event.js';
import { TestAlert } from './test-alert.js';
import { remainingPause } from './test-state.js';
import type { TestEvent } from './use-test-event.js';

/** A test without a result: says how long Galley pauses the webhook, and offers to send the test at once. */
export function TestWaiting({ test }: { test: TestEvent }) {
  const now = useNow(1_000);
  const { button, delivery, sendNow } = test;
  const pause = delivery.data ? remainingPause(delivery.data, now) : 0;
  if (pause === 0) {
    const loader = <Loader size={18} />;
    return <TestAlert test={test} color="gray" icon={loader} title={testEvent.waiting} />;
  }
  return (
    <TestAlert
      test={test}
      color="orange"
      icon={<IconClockPause />}
      title={testEvent.paused(formatWait(pause))}
    >
      <Text size="sm">{testEvent.pausedText}</Text>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        onClick={() => {
          button.current?.focus();
          sendNow.mutate();
        }}
      >
        {testEvent.sendNow}
      </Button>
      {sendNow.error && <ErrorAlert error={sendNow.error} />}
    </TestAlert>
  );
}
