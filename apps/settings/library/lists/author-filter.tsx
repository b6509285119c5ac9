import { NativeSelect } from '@mantine/core';
import { filters as words } from '../../texts/library/filters.js';
import { nameOfMember } from '../../workspace/members/member-rules.js';
import { useMembers } from '../../workspace/members/use-members.js';

interface AuthorFilterProps {
  userId: string | undefined;
  onChange: (change: { updatedBy: string }) => void;
}

/** Filters a list by the member who made the last change. */
export function AuthorFilter({ userId = '', onChange }: AuthorFilterProps) {
  const { data: members = [] } = useMembers();
  const authors = members.map((member) => ({ value: member.userId, label: nameOfMember(member) }));
  const isUnknown = userId !== '' && !authors.some(({ value }) => value === userId);
  return (
    <NativeSelect
      label={words.updatedBy}
      value={userId}
      onChange={({ currentTarget }) => onChange({ updatedBy: currentTarget.value })}
      data={[
        { value: '', label: words.anybody },
        ...authors,
        ...(isUnknown ? [{ value: userId, label: words.unknownAuthor }] : []),
      ]}
    />
  );
}
