import type { Delivery } from '#client';
import {
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconPlayerPauseFilled,
  IconRotateClockwise,
  IconAlertCircleFilled,
} from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { shownStatusOf } from './shown-status.js';
import classes from './status-label.module.css';

const ICONS = {
  pending: IconClock,
  retrying: IconRotateClockwise,
  held: IconPlayerPauseFilled,
  delivered: IconCircleCheckFilled,
  failed: IconAlertCircleFilled,
  cancelled: IconCircleX,
};

export function StatusLabel({ delivery }: { delivery: Pick<Delivery, 'status' | 'lastAttempt'> }) {
  const status = shownStatusOf(delivery);
  const Icon = ICONS[status];
  return (
    <span className={classes['label']}>
      <Icon size={16} className={classes[status]} aria-hidden />
      {texts.deliveries.status[status]}
    </span>
  );
}
