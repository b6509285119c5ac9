import { removeMember, type Workspace } from '#client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useCurrentUser, useHasRole } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { Section } from './section.js';
import { words } from './texts.js';

export function LeaveWorkspace({ workspace: { id, name } }: { workspace: Workspace }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useCurrentUser();
  const isOwner = useHasRole('owner');
  const [isAsking, question] = useDisclosure();
  const leaving = useMutation({
    mutationFn: (userId: string) => removeMember({ client, path: { id, userId } }),
    onSuccess: async () => {
      notifications.show({ message: words.left(name) });
      await navigate({ to: '/', search: { all: true } });
      await queryClient.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  return (
    <Section
      title={words.leave}
      text={words.leaveText}
      action={
        <Button variant="default" onClick={question.open}>
          {words.leave}
        </Button>
      }
    >
      <ConfirmModal
        opened={isAsking}
        title={words.leaveQuestion(name)}
        text={isOwner ? words.lastOwnerHint : words.leaveText}
        action={words.leave}
        isDangerous
        isPending={leaving.isPending}
        error={leaving.error}
        onConfirm={() => {
          if (me) leaving.mutate(me.id);
        }}
        onClose={() => {
          question.close();
          leaving.reset();
        }}
      />
    </Section>
  );
}
