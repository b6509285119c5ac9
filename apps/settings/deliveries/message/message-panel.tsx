import { Group, Paper, Text } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { BodyView } from './body-view.js';
import { HeaderTable } from './header-table.js';
import classes from './message.module.css';

interface MessagePanelProps {
  title: string;
  summary: string;
  /** Null if there was no message. */
  headers: Record<string, string> | null;
  body: string | null;
  noMessage: string;
  noBody: string;
  hint?: string | undefined;
}

/** One side of an attempt: the request or the response. */
export function MessagePanel(props: MessagePanelProps) {
  const { title, summary, headers, body, noMessage, noBody, hint } = props;
  const { message } = texts.delivery;
  const labelOf = (part: string) => `${part} – ${title}`;
  return (
    <Paper withBorder component="section" aria-label={title} className={classes['panel'] ?? ''}>
      <Group gap="sm" wrap="nowrap" className={classes['title'] ?? ''}>
        <Text fw={600} size="sm" flex="none">
          {title}
        </Text>
        <span className={classes['summary']} title={summary}>
          {summary}
        </span>
      </Group>
      {headers === null ? (
        <Text size="sm" p="md">
          {noMessage}
        </Text>
      ) : (
        <>
          <HeaderTable headers={headers} label={labelOf(message.headers)} />
          {body === null || body === '' ? (
            <Text size="sm" p="md">
              {noBody}
            </Text>
          ) : (
            <BodyView body={body} part={title} label={labelOf(message.body)} />
          )}
          {hint !== undefined && (
            <Text size="xs" px="md" pb="md">
              {hint}
            </Text>
          )}
        </>
      )}
    </Paper>
  );
}
