import {
  changeCheckSettings,
  getCheckSettings,
  type ChangeCheckSettings,
  type CheckSettingsWithRules,
} from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';

const settingsKey = (workspaceId: string) => ['check-settings', workspaceId] as const;

/** The settings with their ETag, which a change must send in `If-Match`. */
export interface ReadCheckSettings {
  settings: CheckSettingsWithRules;
  etag: string | undefined;
}

export function useCheckSettings() {
  const client = useClient();
  const id = useWorkspaceId();
  return useQuery({
    queryKey: settingsKey(id),
    queryFn: async ({ signal }): Promise<ReadCheckSettings> => {
      const { data, response } = await getCheckSettings({ client, path: { id }, signal });
      return { settings: data, etag: response.headers.get('etag') ?? undefined };
    },
  });
}

type Change = (current: CheckSettingsWithRules) => ChangeCheckSettings;

export function useChangeCheckSettings() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const key = settingsKey(id);
  return useMutation({
    // Changes run one after the other, so that each change starts from the result and the ETag of the previous change.
    scope: { id: key.join(' ') },
    mutationFn: async (change: Change): Promise<ReadCheckSettings> => {
      const read = queryClient.getQueryData<ReadCheckSettings>(key);
      if (read === undefined) throw new Error('The settings have not been read.');
      const headers = read.etag === undefined ? {} : { 'If-Match': read.etag };
      const request = { client, path: { id }, headers, body: change(read.settings) };
      const { data, response } = await changeCheckSettings(request);
      const settings = { ...read.settings, ...data };
      return { settings, etag: response.headers.get('etag') ?? undefined };
    },
    onSuccess: async (changed) => {
      queryClient.setQueryData<ReadCheckSettings>(key, changed);
      // The severities of findings have changed.
      await queryClient.invalidateQueries({ queryKey: ['checked'] });
    },
    // Also after a conflict: the reader then sees what somebody else has set.
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
