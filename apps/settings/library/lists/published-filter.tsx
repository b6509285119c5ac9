import { NativeSelect } from '@mantine/core';
import { filters as words } from '../../texts/library/filters.js';
import { useEnvironments } from '../../workspace/environments/use-environments.js';
import { isEnvironment, type TemplateSearch } from '../library-search.js';

interface PublishedFilterProps {
  filters: TemplateSearch;
  onChange: (change: { published: boolean | undefined; environment: string | undefined }) => void;
}

const ANY = '';
const valueOf = (published: boolean, environment: string) =>
  `${published ? 'in' : 'not in'} ${environment}`;

/** Filters templates by whether they are published in an environment. */
export function PublishedFilter({ filters, onChange }: PublishedFilterProps) {
  const { data = [] } = useEnvironments();
  const { published, environment } = filters;
  const environments = new Set(data.map(({ name }) => name));
  // Somebody may have deleted the environment since the URL was created.
  if (environment !== undefined) environments.add(environment);
  const choices = [...environments].flatMap((name) => [
    { value: valueOf(true, name), label: words.publishedIn(name) },
    { value: valueOf(false, name), label: words.notPublishedIn(name) },
  ]);
  return (
    <NativeSelect
      label={words.published}
      value={published === undefined ? ANY : valueOf(published, environment ?? '')}
      onChange={({ currentTarget: { value } }) => {
        const name = value.split(' ').at(-1);
        onChange(
          isEnvironment(name)
            ? { published: value === valueOf(true, name), environment: name }
            : { published: undefined, environment: undefined },
        );
      }}
      data={[{ value: ANY, label: words.publishedOrNot }, ...choices]}
    />
  );
}
