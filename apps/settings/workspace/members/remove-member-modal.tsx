import { GalleyError, removeMember, type Member } from '#client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { members } from '../../texts/members.js';
import { nameOfMember } from './member-rules.js';
import { membersKey } from './use-members.js';

interface RemoveMemberModalProps {
  opened: boolean;
  member: Member;
  onClose: () => void;
}

/** Removes a member, or cancels an invitation: for the API, an invited person is a member. */
export function RemoveMemberModal({ opened, member, onClose }: RemoveMemberModalProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const name = nameOfMember(member);
  const words = wordsFor(member.status === 'invited', name);
  const removal = useMutation({
    mutationFn: () => removeMember({ client, path: { id, userId: member.userId } }),
    onSuccess: async () => {
      notifications.show({ message: words.done });
      onClose();
      await queryClient.invalidateQueries({ queryKey: membersKey(id) });
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      title={words.question}
      text={words.text}
      action={words.action}
      isDangerous
      isPending={removal.isPending}
      error={explain(removal.error)}
      onConfirm={() => removal.mutate()}
      onClose={() => {
        onClose();
        removal.reset();
      }}
    />
  );
}

function wordsFor(isInvited: boolean, name: string) {
  return isInvited
    ? {
        question: members.cancelQuestion(name),
        text: members.cancelText,
        action: members.cancelInvitation,
        done: members.cancelled(name),
      }
    : {
        question: members.removeQuestion(name),
        text: members.removeText,
        action: members.removeAction,
        done: members.removed(name),
      };
}

function explain(error: Error | null): Error | null {
  const isLastOwner = error instanceof GalleyError && error.code === 'conflict';
  return isLastOwner ? new Error(members.lastOwnerText) : error;
}
