import { getModule } from '#client';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { filters as words } from '../../texts/library/filters.js';

interface ModuleFilterProps {
  moduleId: string;
  onChange: (change: { moduleId: undefined }) => void;
}

/** Filters a list by a module that the documents refer to. The page of the module links to the filtered list. */
export function ModuleFilter({ moduleId, onChange }: ModuleFilterProps) {
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
