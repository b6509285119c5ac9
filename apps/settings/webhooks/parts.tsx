import type { WebhookStatus } from '#client';
import { Anchor, Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExternalLink,
  IconPlayerPause,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { useSampleReceiver } from '../session/session.js';
import { texts } from '../texts.js';
import classes from './parts.module.css';
import { webhookTexts } from './texts.js';
import { nameOfWebhook } from './webhook-format.js';
import { useWebhook } from './webhook-queries.js';

/* Components that the views of webhooks and of their deliveries share. */

const ICONS = { active: IconCircleCheck, failing: IconAlertTriangle, disabled: IconPlayerPause };

export function StatusBadge({ status }: { status: WebhookStatus }) {
  const Icon = ICONS[status];
  return (
    <Badge
      variant="transparent"
      tt="none"
      className={`${classes['badge'] ?? ''} ${classes[status] ?? ''}`}
      leftSection={<Icon size={14} aria-hidden />}
    >
      {webhookTexts.status[status]}
    </Badge>
  );
}

/** Sets the title of the browser tab: view, webhook and product. Can only be used below `webhookRoute`. */
export function TabTitle({ children }: { children: string }) {
  const { data } = useWebhook();
  const name = data ? `${nameOfWebhook(data.webhook)} · ` : '';
  return <title>{`${children} · ${name}${texts.navigation.productName}`}</title>;
}

/** Lets a URL wrap after a slash. Otherwise, the browser would break it in the middle of a word. */
export function BreakableUrl({ children }: { children: string }) {
  return children.split(/(?<=\/)(?=[^/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Links to the page of the sample receiver, if the webhook sends to it. */
export function SampleReceiverLink({ url }: { url: string }) {
  if (url !== useSampleReceiver()) return null;
  return (
    <Anchor href={url} target="_blank" size="sm" underline="always" display="inline-block" mt={4}>
      {webhookTexts.sampleReceiver.open}
      <IconExternalLink size={14} aria-hidden className={classes['icon']} />
    </Anchor>
  );
}
