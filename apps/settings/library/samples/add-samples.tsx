import { batchTemplates } from '#client';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { samples as words } from '../../texts/library/samples.js';

/** Adds sample templates to an empty workspace. Viewers may not. */
export function AddSamples() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const isEditor = useHasRole('editor');
  const addition = useMutation({
    mutationFn: async () => {
      // The documents have some 80 KB, which only this button needs.
      const { samples } = await import('../../samples/index.js');
      const operations = samples.map(({ name, content, data }) => ({
        action: 'create' as const,
        name,
        content: { ...content, sampleData: data },
      }));
      await batchTemplates({ client, body: { workspaceId, operations } });
      return samples.length;
    },
    onSuccess: async (count) => {
      notifications.show({ message: words.added(count) });
      await queryClient.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  if (!isEditor) return null;
  return (
    <>
      <Button loading={addition.isPending} onClick={() => addition.mutate()}>
        {words.add}
      </Button>
      {addition.error && <ErrorAlert error={addition.error} />}
    </>
  );
}
