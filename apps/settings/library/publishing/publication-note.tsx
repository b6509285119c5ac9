import { Text } from '@mantine/core';

/** A note in a table. A long note is cut; its title contains the whole note. */
export const PublicationNote = ({ note }: { note: string }) => (
  <Text size="sm" lineClamp={3} title={note} style={{ overflowWrap: 'anywhere' }}>
    {note}
  </Text>
);
