import type { Delivery } from '#client';
import { memo } from 'react';
import { formatAgo, formatExact, shortId } from '../../controls/format.js';
import { LiveRow, RowLink } from '../../lists/live-table.js';
import { texts } from '../../texts/index.js';
import { describeOutcome } from '../failures/failure-explanation.js';
import { StatusLabel } from '../status-label.js';
import classes from './delivery-table.module.css';

interface DeliveryRowProps {
  delivery: Delivery;
  index: number;
  now: number;
  /** The URL path of the list, including the base path. */
  listHref: string;
}

export const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, index, now, listHref } = props;
  const { id, event, resourceId, attempts, createdAt, lastAttempt } = delivery;
  return (
    <LiveRow id={id} index={index} className={classes['row']}>
      <td role="cell" className={classes['status']}>
        <StatusLabel delivery={delivery} />
      </td>
      <td role="cell" className={classes['event']}>
        <RowLink href={`${listHref}/${id}`}>{event}</RowLink>
      </td>
      <td role="cell" className={classes['resource']} title={resourceId}>
        {shortId(resourceId)}
      </td>
      <td role="cell" className={classes['attempts']}>
        <span className={classes['wide']}>{attempts}</span>
        <span className={classes['narrow']}>{texts.deliveries.attemptCount(attempts)}</span>
      </td>
      <td role="cell" className={classes['response']} title={lastAttempt?.error ?? undefined}>
        {lastAttempt ? describeOutcome(lastAttempt) : texts.deliveries.noAttempt}
      </td>
      <td role="cell" className={classes['created']}>
        <time dateTime={createdAt} title={formatExact(createdAt)}>
          {formatAgo(Date.parse(createdAt) - now)}
        </time>
      </td>
    </LiveRow>
  );
});
