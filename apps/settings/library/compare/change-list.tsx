import { Button, Center } from '@mantine/core';
import { useState } from 'react';
import { comparison as words } from '../../texts/library/comparison.js';
import type { ReadComparison } from '../kinds/use-document.js';
import { BothDocuments } from './both-documents.js';
import { ChangeEntry } from './change-entry.js';
import classes from './comparison.module.css';

const PAGE_SIZE = 50;

export function ChangeList({ read }: { read: ReadComparison }) {
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
