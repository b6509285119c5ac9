import { Text } from '@mantine/core';

/** A note in a table; a long one is cut, and its title has all of it. */
export const PublicationNote = ({ note }: { note: string }) => (
  <Text size="sm" lineClamp={3} title={note} style={{ overflowWrap: 'anywhere' }}>
    {note}
  </Text>
);
