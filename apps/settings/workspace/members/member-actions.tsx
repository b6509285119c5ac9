import type { Member } from '#client';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useWorkspace } from '../../api/workspaces.js';
import { members as words } from '../../texts/members.js';
import { ChangeRoleModal } from './change-role-modal.js';
import { mayManage, nameOfMember, rolesToGive } from './member-rules.js';
import { RemoveMemberModal } from './remove-member-modal.js';

interface MemberActionsProps {
  member: Member;
  members: readonly Member[];
  isReader: boolean;
}

export function MemberActions({ member, members, isReader }: MemberActionsProps) {
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
          {!isReader && (
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
        isReader={isReader}
        onClose={close}
      />
      <RemoveMemberModal opened={dialog === 'removal'} member={member} onClose={close} />
    </>
  );
}
