import { changeMemberRole, GalleyError, removeMember, type Member, type Role } from '#client';
import { ActionIcon, Alert, Button, Group, Menu, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspace, useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { mayManage, nameOfMember, rolesToGive } from '../member-rules.js';
import { RoleChoice } from '../role-choice.js';
import { membersKey } from '../workspace-queries.js';
import { words } from './texts.js';

interface MemberActionsProps {
  member: Member;
  members: readonly Member[];
  isSelf: boolean;
}

export function MemberActions({ member, members, isSelf }: MemberActionsProps) {
  const { data: workspace } = useWorkspace();
  const [dialog, setDialog] = useState<'role' | 'removal'>();
  if (workspace === undefined || !mayManage(workspace.role, members, member)) return null;
  const close = () => setDialog(undefined);
  const isInvited = member.status === 'invited';
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.actionsFor(nameOfMember(member))}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('role')}>{words.changeRole}</Menu.Item>
          {!isSelf && (
            <Menu.Item color="red" onClick={() => setDialog('removal')}>
              {isInvited ? words.cancelInvitation : words.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ChangeRoleModal
        opened={dialog === 'role'}
        member={member}
        roles={rolesToGive(workspace.role, members)}
        isSelf={isSelf}
        onClose={close}
      />
      <RemoveMemberModal opened={dialog === 'removal'} member={member} onClose={close} />
    </>
  );
}

interface ChangeRoleProps {
  member: Member;
  roles: readonly Role[];
  isSelf: boolean;
  onClose: () => void;
}

function ChangeRoleModal({ opened, ...props }: ChangeRoleProps & { opened: boolean }) {
  const title = words.changeRoleTitle(nameOfMember(props.member));
  return (
    <Modal opened={opened} onClose={props.onClose} title={title} centered>
      <ChangeRoleForm {...props} />
    </Modal>
  );
}

function ChangeRoleForm({ member, roles, isSelf, onClose }: ChangeRoleProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const [role, setRole] = useState<Role>(member.role);
  const change = useMutation({
    mutationFn: async () => {
      const path = { id: workspaceId, userId: member.userId };
      return (await changeMemberRole({ client, path, body: { role } })).data;
    },
    onSuccess: async (changed) => {
      const { name } = texts.roles[changed.role];
      notifications.show({ message: words.roleChanged(nameOfMember(changed), name) });
      onClose();
      await queryClient.invalidateQueries({ queryKey: membersKey(workspaceId) });
      if (isSelf) await queryClient.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const isLastOwner = change.error instanceof GalleyError && change.error.code === 'last_owner';
  return (
    <Stack gap="md">
      <RoleChoice roles={roles} value={role} onChange={setRole} />
      {isSelf && (
        <Alert color="yellow" variant="light">
          {words.ownRoleWarning}
        </Alert>
      )}
      {isLastOwner && (
        <Alert color="yellow" title={words.lastOwnerTitle} role="alert">
          {words.lastOwnerText}
        </Alert>
      )}
      {change.error && !isLastOwner && <ErrorAlert error={change.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        <Button
          loading={change.isPending}
          disabled={role === member.role}
          onClick={() => change.mutate()}
        >
          {words.changeRole}
        </Button>
      </Group>
    </Stack>
  );
}

interface RemoveMemberModalProps {
  opened: boolean;
  member: Member;
  onClose: () => void;
}

/** Removes a member, or cancels an invitation: in the API, an invited person is a member. */
function RemoveMemberModal({ opened, member, onClose }: RemoveMemberModalProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const name = nameOfMember(member);
  const dialog = wordsFor(member.status === 'invited', name);
  const removal = useMutation({
    mutationFn: () => removeMember({ client, path: { id, userId: member.userId } }),
    onSuccess: async () => {
      notifications.show({ message: dialog.done });
      onClose();
      await queryClient.invalidateQueries({ queryKey: membersKey(id) });
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      title={dialog.question}
      text={dialog.text}
      action={dialog.action}
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
        question: words.cancelQuestion(name),
        text: words.cancelText,
        action: words.cancelInvitation,
        done: words.cancelled(name),
      }
    : {
        question: words.removeQuestion(name),
        text: words.removeText,
        action: words.removeAction,
        done: words.removed(name),
      };
}

function explain(error: Error | null): Error | null {
  const isLastOwner = error instanceof GalleyError && error.code === 'last_owner';
  return isLastOwner ? new Error(words.lastOwnerText) : error;
}
