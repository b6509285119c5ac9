import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { webhookOverview as words } from '../../../texts/webhooks/webhook-overview.js';
import classes from './chart-figure.module.css';

interface ChartFigureProps {
  title: string;
  /** The heads of the columns; the first column is the time. */
  columns: readonly string[];
  /** The cells of each step, oldest step first. */
  rows: readonly (readonly string[])[];
  /** Says which values the chart leaves out. */
  note?: string;
  children: ReactNode;
}

const { showTable } = words.totals;

/** A chart, and the same figures as a table for readers who do not see the chart. */
export function ChartFigure({ title, columns, rows, note, children }: ChartFigureProps) {
  return (
    <figure className={classes['figure']} aria-label={title}>
      <Text component="figcaption" size="sm" fw={600} mb="sm">
        {title}
      </Text>
      <div aria-hidden className={classes['chart']}>
        {children}
      </div>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mt="sm">
          {note}
        </Text>
      )}
      <details className={classes['details']}>
        <summary>{showTable}</summary>
        {/* A region that scrolls must be reachable with the keyboard. */}
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label={title}>
          <Table aria-label={title} fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column} scope="col">
                    {column}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.toReversed().map(([time, ...values], row) => (
                <Table.Tr key={row}>
                  <Table.Th scope="row">{time}</Table.Th>
                  {values.map((value, column) => (
                    <Table.Td key={columns[column + 1]}>{value}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </details>
    </figure>
  );
}
