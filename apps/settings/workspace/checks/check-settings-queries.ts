import {
  changeCheckSettings,
  getCheckSettings,
  type ChangeCheckSettings,
  type CheckSettingsWithRules,
} from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/api-context.js';
import { useWorkspaceId } from '../../api/workspaces.js';

const settingsKey = (workspaceId: string) => ['check-settings', workspaceId] as const;

export function useCheckSettings() {
  const client = useClient();
  const id = useWorkspaceId();
  return useQuery({
    queryKey: settingsKey(id),
    queryFn: async ({ signal }) => (await getCheckSettings({ client, path: { id }, signal })).data,
  });
}

export function useChangeCheckSettings() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  return useMutation({
    mutationFn: async (body: ChangeCheckSettings) =>
      (await changeCheckSettings({ client, path: { id }, body })).data,
    onSuccess: async (changed) => {
      queryClient.setQueryData<CheckSettingsWithRules>(
        settingsKey(id),
        (current) => current && { ...current, ...changed },
      );
      // The severities of findings have changed.
      await queryClient.invalidateQueries({ queryKey: ['checked'] });
    },
  });
}
