import type { Comparison } from '#client';
import { Alert, Button, Center, Code, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../controls/states.js';
import type { ReadComparison } from '../use-document.js';
import { BothDocuments } from './both-documents.js';
import { ChangeEntry } from './change-entry.js';
import { ChangeLabel, Sides, Value } from './change-parts.js';
import classes from './comparison.module.css';
import { words } from './texts.js';

const TYPES = ['added', 'removed', 'moved', 'changed'] as const;

interface ComparisonResultProps {
  read: ReadComparison;
  latestVersion: number;
}

export function ComparisonResult({ read, latestVersion }: ComparisonResultProps) {
  const { comparison } = read;
  const { identical, fields, counts, isComplete, breakingChanges } = comparison;
  if (identical && fields.length === 0) {
    return <EmptyState {...explainIdentity(comparison, latestVersion)} />;
  }
  return (
    <Stack gap="md">
      <Group component="section" gap="xs" aria-label={words.summary}>
        {TYPES.map((type) => (
          <ChangeLabel key={type} type={type} isMuted={counts[type] === 0}>
            {words.count(type, counts[type])}
          </ChangeLabel>
        ))}
      </Group>
      {!isComplete && (
        <Alert color="yellow" variant="light" title={words.incompleteTitle}>
          {words.incompleteText}
        </Alert>
      )}
      {breakingChanges.length > 0 && (
        <Alert color="orange" variant="light" title={words.breakingTitle}>
          <Text size="sm">{words.breakingText}</Text>
          <List size="sm" mt="xs">
            {breakingChanges.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <Code>{path}</Code> {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {identical && <Alert color="blue">{words.sameDocument}</Alert>}
      <TextChanges comparison={comparison} />
      {!identical && <ChangeList read={read} />}
    </Stack>
  );
}

function explainIdentity({ from, to, identicalText }: Comparison, latestVersion: number) {
  if (latestVersion === 1) return { title: words.onlyVersionTitle, text: words.onlyVersionText };
  const title = words.identicalTitle;
  if (from.version === to.version) return { title, text: words.sameVersionText };
  return { title, text: identicalText ? words.identicalText : words.sameMeaningText };
}

const PAGE_SIZE = 50;

function ChangeList({ read }: { read: ReadComparison }) {
  const { comparison, before, after } = read;
  const { changes, isComplete } = comparison;
  const [shown, setShown] = useState(PAGE_SIZE);
  const hidden = changes.length - shown;
  return (
    <>
      <ol className={classes['changes']} aria-label={words.changes}>
        {changes.slice(0, shown).map((change) => (
          <ChangeEntry
            key={[change.type, change.path, change.fromPath].join()}
            change={change}
            from={before}
            to={after}
            isComplete={isComplete}
          />
        ))}
      </ol>
      {hidden > 0 && (
        <Center>
          <Button variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
            {words.showMore(Math.min(hidden, PAGE_SIZE))}
          </Button>
        </Center>
      )}
      <BothDocuments from={before} to={after} changes={changes} />
    </>
  );
}

/** The changed fields outside the document, such as the name. */
function TextChanges({ comparison: { from, to, fields } }: { comparison: Comparison }) {
  return fields.map(({ name, before, after }) => (
    <Paper key={name} withBorder component="section" className={classes['change'] ?? ''}>
      <div className={classes['head']}>
        <ChangeLabel type="changed">{words.types.changed}</ChangeLabel>
        <strong>{words.texts[name] ?? name}</strong>
      </div>
      <Sides
        before={<Value value={before} side="before" version={from.version} absent="" />}
        after={<Value value={after} side="after" version={to.version} absent="" />}
      />
    </Paper>
  ));
}
