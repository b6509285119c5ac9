import type { FeedEvent } from '#client';
import { memo } from 'react';
import { formatAgo, formatExact, formatNumber, shortId } from '../controls/format.js';
import { LiveRow, RowLink } from '../lists/live-table.js';
import classes from './event-list.module.css';

interface EventRowProps {
  event: FeedEvent;
  index: number;
  now: number;
  /** The URL path of the list, including the base path. */
  listHref: string;
}

export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, index, now, listHref } = props;
  const { id, event: kind, position, resourceId, timestamp } = event;
  const name = nameOf(event);
  return (
    <LiveRow id={id} index={index} className={classes['row']}>
      <td role="cell" className={classes['event']}>
        <RowLink href={`${listHref}/${position}`}>{kind}</RowLink>
      </td>
      <td role="cell" className={classes['name']} title={name}>
        {name}
      </td>
      <td role="cell" className={classes['resource']} title={resourceId}>
        {shortId(resourceId)}
      </td>
      <td role="cell" className={classes['position']}>
        {formatNumber(position)}
      </td>
      <td role="cell" className={classes['time']}>
        <time dateTime={timestamp} title={formatExact(timestamp)}>
          {formatAgo(Date.parse(timestamp) - now)}
        </time>
      </td>
    </LiveRow>
  );
});

/** The name of the template or module, or the description of the webhook. */
function nameOf({ data }: FeedEvent): string {
  const { name, description } = data as { name?: string; description?: string };
  return name ?? description ?? '';
}
