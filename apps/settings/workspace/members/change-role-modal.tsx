import { changeMemberRole, GalleyError, type Member, type Role } from '#client';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { members as words } from '../../texts/members.js';
import { nameOfMember } from './member-rules.js';
import { RoleChoice } from './role-choice.js';
import { membersKey } from './use-members.js';

interface ChangeRoleProps {
  member: Member;
  roles: readonly Role[];
  isReader: boolean;
  onClose: () => void;
}

export function ChangeRoleModal({ opened, ...props }: ChangeRoleProps & { opened: boolean }) {
  const title = words.changeRoleTitle(nameOfMember(props.member));
  return (
    <Modal opened={opened} onClose={props.onClose} title={title} centered>
      <ChangeRoleForm {...props} />
    </Modal>
  );
}

function ChangeRoleForm({ member, roles, isReader, onClose }: ChangeRoleProps) {
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
      if (isReader) await queryClient.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const isLastOwner = change.error instanceof GalleyError && change.error.code === 'conflict';
  return (
    <Stack gap="md">
      <RoleChoice roles={roles} value={role} onChange={setRole} />
      {isReader && (
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
