import type { TagMatch } from '#client';
import { NativeSelect } from '@mantine/core';
import { tags as words } from '../../texts/library/tags.js';
import { TAG_MATCHES, tagsOf, type LibrarySearch } from '../library-search.js';
import { TagField } from './tag-field.js';

interface TagFilterProps {
  filters: LibrarySearch;
  onChange: (change: { tags?: string; tagsMatch?: TagMatch }) => void;
}

/** Filters a list by tags and, if there are several, by all or any of them. */
export function TagFilter({ filters, onChange }: TagFilterProps) {
  const tags = tagsOf(filters);
  return (
    <>
      <TagField
        label={words.title}
        value={tags}
        onChange={(newTags) => onChange({ tags: newTags.join(',') })}
        {...(tags.length === 0 && { placeholder: words.filterPlaceholder })}
      />
      {tags.length > 1 && (
        <NativeSelect
          label={words.match}
          value={filters.tagsMatch ?? 'all'}
          onChange={({ currentTarget }) => onChange({ tagsMatch: currentTarget.value as TagMatch })}
          data={TAG_MATCHES.map((value) => ({ value, label: words.matches[value] }))}
        />
      )}
    </>
  );
}
