import { Button } from '@mantine/core';
import { ErrorAlert } from '../../../controls/states.js';
import { useBulkActions } from '../../../deliveries/delivery-queries.js';
import { webhookOverview as words } from '../../../texts/webhooks/webhook-overview.js';

interface SendAllNowProps {
  /** Moves the keyboard focus: the button disappears when the pause has ended. */
  onPress: () => void;
}

/** Sends all pending deliveries now, also while the webhook is paused. */
export function SendAllNow({ onPress }: SendAllNowProps) {
  const { retryAll } = useBulkActions();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        onClick={() => {
          onPress();
          if (!retryAll.isPending) retryAll.mutate();
        }}
      >
        {words.health.sendAllNow}
      </Button>
      {retryAll.error && <ErrorAlert error={retryAll.error} />}
    </>
  );
}
