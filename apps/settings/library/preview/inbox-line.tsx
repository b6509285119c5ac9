import { Text } from '@mantine/core';
import classes from './preview.module.css';
import { words } from './texts.js';

interface InboxLineProps {
  fromName?: string | undefined;
  subject?: string | undefined;
  preheader?: string | undefined;
}

/**
 * Shows the texts of an email as in the list of a mail client: the sender, the subject, and the preheader beside it.
 */
export function InboxLine({ fromName, subject, preheader }: InboxLineProps) {
  return (
    <section className={classes['inbox']} aria-label={words.inbox}>
      {fromName !== undefined && (
        <Text span fw={600} dir="auto">
          {fromName}
        </Text>
      )}
      <Text span fw={600} dir="auto" {...(subject === undefined && { c: 'dimmed', fs: 'italic' })}>
        {subject ?? words.noSubject}
      </Text>
      {preheader !== undefined && (
        <Text span c="dimmed" truncate dir="auto" title={preheader}>
          {preheader}
        </Text>
      )}
    </section>
  );
}
