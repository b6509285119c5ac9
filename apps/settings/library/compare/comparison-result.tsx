import type { Comparison } from '#client';
import { Alert, Group, Stack } from '@mantine/core';
import { EmptyState } from '../../controls/states.js';
import { comparison as words } from '../../texts/library/comparison.js';
import type { ReadComparison } from '../kinds/use-document.js';
import { ChangeLabel } from './change-label.js';
import { ChangeList } from './change-list.js';
import { TextChanges } from './text-changes.js';

const TYPES = ['added', 'removed', 'moved', 'changed'] as const;

interface ComparisonResultProps {
  read: ReadComparison;
  latestVersion: number;
}

export function ComparisonResult({ read, latestVersion }: ComparisonResultProps) {
  const { comparison } = read;
  const { identical, fields, counts, isComplete } = comparison;
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
