import type { Member } from '#client';
import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useCurrentUser, useHasRole } from '../../api/workspaces.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { nameOfMember } from '../member-rules.js';
import { useMembers } from '../workspace-queries.js';
import { InviteModal } from './invite-modal.js';
import { MemberActions } from './member-actions.js';
import classes from './member-list.module.css';
import { words } from './texts.js';

export function MemberList() {
  const members = useMembers();
  const isAdmin = useHasRole('admin');
  const [isInviting, invitation] = useDisclosure();
  return (
    <Page
      title={texts.navigation.members}
      actions={
        isAdmin && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={invitation.open}>
            {words.invite}
          </Button>
        )
      }
    >
      <Text size="sm" mb="md">
        {words.intro}
      </Text>
      <QueryState query={members} skeleton={<RowsSkeleton rows={5} height={62} />}>
        {(rows) => <MemberTable members={rows} />}
      </QueryState>
      <LoadMore list={members} />
      <InviteModal opened={isInviting} members={members.data ?? []} onClose={invitation.close} />
    </Page>
  );
}

function MemberTable({ members }: { members: Member[] }) {
  const { data: me } = useCurrentUser();
  const { columns, listLabel } = words;
  const tableColumns: Column<Member>[] = [
    {
      header: columns.member,
      cell: (member) => <MemberName member={member} isSelf={member.userId === me?.id} />,
    },
    { header: columns.role, cell: ({ role }) => texts.roles[role].name, width: 110 },
    { header: columns.status, cell: ({ status }) => <Status status={status} />, width: 130 },
    {
      header: columns.since,
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
      width: 150,
    },
    {
      header: columns.actions,
      isHeaderHidden: true,
      cell: (member) => (
        <MemberActions member={member} members={members} isSelf={member.userId === me?.id} />
      ),
      width: 64,
    },
  ];
  return (
    <ListTable
      label={listLabel}
      columns={tableColumns}
      rows={members}
      rowKey={({ userId }) => userId}
    />
  );
}

const STATUS_COLORS = { active: 'teal', invited: 'blue', deactivated: 'gray', deleted: 'gray' };

function Status({ status }: { status: Member['status'] }) {
  return (
    <Tooltip label={words.statusHints[status]} multiline maw={280}>
      <Badge variant="dot" color={STATUS_COLORS[status]} tt="none" fw={500}>
        {words.statuses[status]}
      </Badge>
    </Tooltip>
  );
}

/** Shows the name and the email address of a member. If the member has no name, only the address. */
function MemberName({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const name = nameOfMember(member);
  return (
    <div className={classes['member']}>
      <Group gap={8}>
        <Text fw={600} size="sm" className={classes['line']} title={name}>
          {name}
        </Text>
        {isSelf && (
          <Badge size="sm" variant="default" tt="none" fw={500}>
            {words.you}
          </Badge>
        )}
      </Group>
      {name !== member.email && (
        <Text size="sm" className={classes['line']} title={member.email}>
          {member.email || words.noEmail}
        </Text>
      )}
    </div>
  );
}
