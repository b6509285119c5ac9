import type { Member } from '#client';
import { Badge, Group, Text } from '@mantine/core';
import { members as words } from '../../texts/members.js';
import { nameOfMember } from './member-rules.js';
import classes from './member-name.module.css';

/** The name and the email address of a member; only one line if the member has no name. */
export function MemberName({ member, isReader }: { member: Member; isReader: boolean }) {
  const name = nameOfMember(member);
  return (
    <div className={classes['member']}>
      <Group gap={8}>
        <Text fw={600} size="sm" className={classes['line']} title={name}>
          {name}
        </Text>
        {isReader && (
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
