import type { WebhookStatus } from '#client';
import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import classes from './status-badge.module.css';

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
      {texts.webhooks.status[status]}
    </Badge>
  );
}
