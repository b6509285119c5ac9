import type { Delivery } from '#client';
import {
  IconAlertCircleFilled,
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconPlayerPauseFilled,
  IconRotateClockwise,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FailureText } from './failure-texts.js';
import { shownStatusOf } from './outcomes.js';
import classes from './parts.module.css';
import { deliveryTexts } from './texts.js';

/* Components that the views of deliveries, events and webhooks share. */

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
      {deliveryTexts.status[status]}
    </span>
  );
}

/** Explains the usual cause of a failure, and what to do about it. */
export function FailureAdvice({ cause, action }: Pick<FailureText, 'cause' | 'action'>) {
  return (
    <dl className={classes['advice']}>
      <dt>{deliveryTexts.advice.cause}</dt>
      <dd>{cause}</dd>
      <dt>{deliveryTexts.advice.action}</dt>
      <dd>{action}</dd>
    </dl>
  );
}

/** A list of `Fact`s, in as many columns as fit. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className={classes['facts']}>{children}</dl>
);

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
