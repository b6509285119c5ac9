import type { RenderWarning } from '#client';
import { Text, Title } from '@mantine/core';
import { preview as words } from '../../texts/library/preview.js';
import classes from './preview.module.css';

/** What the email does not show as the document says. */
export function FindingList({ warnings }: { warnings: readonly RenderWarning[] }) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.findings}
      </Title>
      {warnings.length === 0 && <Text size="sm">{words.noFindings}</Text>}
      {warnings.map(({ nodeId, path, message }) => (
        <div key={path + message} className={classes['finding']}>
          <Text size="sm">{message}</Text>
          <Text size="xs" c="dimmed">
            {words.place(path, nodeId)}
          </Text>
        </div>
      ))}
    </section>
  );
}
