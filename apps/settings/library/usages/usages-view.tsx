import { Stack } from '@mantine/core';
import { useHasRole } from '../../api/workspaces.js';
import { UpdateUsages } from './update-usages.js';
import { UsageTable } from './usage-table.js';

/** The templates and modules that use a module. Editors pin them to another version here. */
export function UsagesView() {
  const isEditor = useHasRole('editor');
  return (
    <Stack gap="xl">
      <UsageTable />
      {isEditor && <UpdateUsages />}
    </Stack>
  );
}
