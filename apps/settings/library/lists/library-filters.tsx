import type { Sort, TagMatch } from '#client';
import { NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FilterBar, FilterText } from '../../lists/filter-bar.js';
import { texts } from '../../texts/index.js';
import { DEFAULT_SORT, isFiltered, SORTS, type LibrarySearch } from '../library-search.js';
import { TagFilter } from '../tags/tag-filter.js';
import { AuthorFilter } from './author-filter.js';
import { ModuleFilter } from './module-filter.js';

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
  const { library } = texts;
  return (
    <FilterBar isFiltered={isFiltered(filters)} onClear={onClear}>
      <FilterText
        label={library.searchLabel}
        placeholder={library.searchPlaceholder}
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
        label={library.sortLabel}
        value={filters.sort ?? DEFAULT_SORT}
        onChange={({ currentTarget }) => onChange({ sort: currentTarget.value as Sort })}
        data={SORTS.map((sort) => ({ value: sort, label: library.sorts[sort] }))}
      />
    </FilterBar>
  );
}
