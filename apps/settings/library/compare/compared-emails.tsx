import { Button, SimpleGrid, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { comparison as words } from '../../texts/library/comparison.js';
import { preview } from '../../texts/library/preview.js';
import { EmailFrame } from '../preview/email-frame.js';
import { useRendered } from '../preview/preview-queries.js';
import classes from '../preview/preview.module.css';

/** Both versions of a template as emails, on demand, because rendering takes processor time. */
export function ComparedEmails({ from, to }: { from: number; to: number }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {preview.both}
      </Title>
      {isShown ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <ComparedEmail version={from} />
          <ComparedEmail version={to} />
        </SimpleGrid>
      ) : (
        <Button variant="default" onClick={() => setIsShown(true)}>
          {preview.showBoth}
        </Button>
      )}
    </section>
  );
}

function ComparedEmail({ version }: { version: number }) {
  const rendered = useRendered({ number: version, isLatest: false });
  return (
    <div>
      <Text fw={600} mb="xs">
        {words.version(version)}
      </Text>
      <QueryState query={rendered} skeleton={<RowsSkeleton rows={1} height={520} />}>
        {({ html }) => (
          <div className={classes['stage']}>
            <EmailFrame title={preview.frame(version)} html={html} />
          </div>
        )}
      </QueryState>
    </div>
  );
}
