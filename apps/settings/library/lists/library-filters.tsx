import { getModule, type Sort, type TagMatch } from '#client';
import { NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../../api/client.js';
import { FilterBar, FilterText } from '../../lists/filter-bar.js';
import { nameOfMember } from '../../workspace/member-rules.js';
import { useMembers } from '../../workspace/workspace-queries.js';
import {
  DEFAULT_SORT,
  isFiltered,
  SORTS,
  TAG_MATCHES,
  tagsOf,
  type LibrarySearch,
} from '../library-search.js';
import { TagField } from '../tag-parts.js';
import { libraryTexts } from '../texts.js';
import { words } from './texts.js';

interface LibraryFiltersProps {
  filters: LibrarySearch;
  onChange: (change: {
    search?: string;
    tags?: string;
    tagsMatch?: TagMatch;
    updatedBy?: string;
    moduleId?: undefined;
    sort?: Sort;
  }) => void;
  onClear: () => void;
  /** More filters, shown after the search field. */
  children?: ReactNode;
}

export function LibraryFilters({ filters, onChange, onClear, children }: LibraryFiltersProps) {
  return (
    <FilterBar isFiltered={isFiltered(filters)} onClear={onClear}>
      <FilterText
        label={words.searchLabel}
        placeholder={words.searchPlaceholder}
        leftSection={<IconSearch size={16} />}
        maxLength={255}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      {children}
      <TagFilter filters={filters} onChange={onChange} />
      <AuthorFilter userId={filters.updatedBy} onChange={onChange} />
      {filters.moduleId !== undefined && (
        <ModuleFilter moduleId={filters.moduleId} onChange={onChange} />
      )}
      <NativeSelect
        label={words.sortLabel}
        value={filters.sort ?? DEFAULT_SORT}
        onChange={({ currentTarget }) => onChange({ sort: currentTarget.value as Sort })}
        data={SORTS.map((sort) => ({ value: sort, label: words.sorts[sort] }))}
      />
    </FilterBar>
  );
}

interface AuthorFilterProps {
  userId: string | undefined;
  onChange: (change: { updatedBy: string }) => void;
}

/** Filters a list by the member who made the last change. */
function AuthorFilter({ userId = '', onChange }: AuthorFilterProps) {
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

interface ModuleFilterProps {
  moduleId: string;
  onChange: (change: { moduleId: undefined }) => void;
}

/** Filters a list by a module that the documents use. The module's page links to the filtered list. */
function ModuleFilter({ moduleId, onChange }: ModuleFilterProps) {
  const client = useClient();
  const module = useQuery({
    queryKey: ['module name', moduleId],
    queryFn: async ({ signal }) =>
      (await getModule({ client, path: { id: moduleId }, signal })).data,
  });
  return (
    <NativeSelect
      label={words.usedModule}
      value={moduleId}
      onChange={() => onChange({ moduleId: undefined })}
      data={[
        { value: '', label: words.anyModule },
        {
          value: moduleId,
          label: module.data?.name ?? (module.isError ? words.missingModule : ''),
        },
      ]}
    />
  );
}

interface TagFilterProps {
  filters: LibrarySearch;
  onChange: (change: { tags?: string; tagsMatch?: TagMatch }) => void;
}

/** Filters a list by tags. If there are several tags, the user can require all of them or any of them. */
function TagFilter({ filters, onChange }: TagFilterProps) {
  const tags = tagsOf(filters);
  return (
    <>
      <TagField
        label={libraryTexts.tags.title}
        value={tags}
        onChange={(newTags) => onChange({ tags: newTags.join(',') })}
        {...(tags.length === 0 && { placeholder: words.tagPlaceholder })}
      />
      {tags.length > 1 && (
        <NativeSelect
          label={words.tagMatch}
          value={filters.tagsMatch ?? 'all'}
          onChange={({ currentTarget }) => onChange({ tagsMatch: currentTarget.value as TagMatch })}
          data={TAG_MATCHES.map((value) => ({ value, label: words.tagMatches[value] }))}
        />
      )}
    </>
  );
}
