import { Button, Group, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CopyButton } from '../../controls/code.js';
import { formatNumber } from '../../controls/format.js';
import { deliveryTexts } from '../texts.js';
import { toJsonLines, type JsonLine } from './json-lines.js';
import classes from './message.module.css';

const { message } = deliveryTexts;
const COLLAPSED_LINES = 40;

interface BodyViewProps {
  body: string;
  part: string;
  label: string;
}

/** Shows a body as formatted JSON, or as raw text exactly as it was sent. */
export function BodyView({ body, part, label }: BodyViewProps) {
  const [isRaw, setRaw] = useState(false);
  const [isExpanded, setExpanded] = useState(false);
  const jsonLines = useMemo(() => toJsonLines(body), [body]);
  const rawLines = useMemo(() => body.split('\n'), [body]);
  const showsJson = jsonLines !== undefined && !isRaw;
  const lineCount = showsJson ? jsonLines.length : rawLines.length;
  const shownCount = isExpanded ? lineCount : COLLAPSED_LINES;
  return (
    <div className={classes['body']}>
      <Group justify="space-between" gap="xs" mb="xs">
        {jsonLines ? (
          <SegmentedControl
            size="xs"
            value={isRaw ? 'raw' : 'formatted'}
            onChange={(value) => setRaw(value === 'raw')}
            aria-label={message.view(part)}
            data={[
              { value: 'formatted', label: message.formatted },
              { value: 'raw', label: message.raw },
            ]}
          />
        ) : (
          <span className={classes['bodyLabel']}>{message.body}</span>
        )}
        <CopyButton value={body} />
      </Group>
      {/* A scrollable region must be reachable with the keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label} className={classes['code']}>
        {showsJson ? (
          <JsonView lines={jsonLines.slice(0, shownCount)} />
        ) : (
          rawLines.slice(0, shownCount).join('\n')
        )}
      </pre>
      {lineCount > COLLAPSED_LINES && (
        <Button size="xs" variant="subtle" mt="xs" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? message.showLess : message.showAll(formatNumber(lineCount))}
        </Button>
      )}
    </div>
  );
}

function JsonView({ lines }: { lines: readonly JsonLine[] }) {
  return (
    <>
      {lines.map(({ depth, tokens }, index) => (
        <span key={index}>
          {'  '.repeat(depth)}
          {tokens.map(({ kind, text }, position) => (
            <span key={position} className={classes[kind]}>
              {text}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </>
  );
}
