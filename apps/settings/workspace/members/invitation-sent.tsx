import type { Member } from '#client';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../controls/code.js';
import { members } from '../../texts/members.js';

interface InvitationSentProps {
  member: Member;
  onAgain: () => void;
  onClose: () => void;
}

/** Galley sends no email, so the reader must tell the invited person where to sign in. */
export function InvitationSent({
  member: { email, status },
  onAgain,
  onClose,
}: InvitationSentProps) {
  const isInvited = status === 'invited';
  const link = new URL(import.meta.env.BASE_URL, window.location.origin).href;
  return (
    <Stack gap="md">
      <div role="status">
        <Text fw={600}>{isInvited ? members.invitedTitle(email) : members.addedTitle(email)}</Text>
        <Text size="sm" mt={4}>
          {isInvited ? members.invitedText : members.addedText}
        </Text>
      </div>
      <Group gap="sm">
        <Code fz="sm">{link}</Code>
        <CopyButton value={link} label={members.copyLink} />
      </Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          {members.inviteAnother}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {members.done}
        </Button>
      </Group>
    </Stack>
  );
}
