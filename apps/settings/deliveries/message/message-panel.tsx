import { Group, Paper, Text } from '@mantine/core';
import { deliveryTexts } from '../texts.js';
import { BodyView } from './body-view.js';
import classes from './message.module.css';

const { message } = deliveryTexts;

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

function HeaderTable({ headers, label }: { headers: Record<string, string>; label: string }) {
  return (
    <table aria-label={label} className={classes['headers']}>
      <thead className={classes['hidden']}>
        <tr>
          <th scope="col">{message.headerName}</th>
          <th scope="col">{message.headerValue}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
