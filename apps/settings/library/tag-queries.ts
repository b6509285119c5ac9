import { listTags, pages, type TagChange } from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/client.js';
import { useWorkspaceId } from '../api/workspaces.js';
import { useCursorList } from '../lists/cursor-list.js';

const tagsKey = (workspaceId: string) => ['tags', workspaceId] as const;

// More suggestions would not make it easier to find a tag. The user can type any other tag.
const MAX_SUGGESTIONS = 1_000;

/** The tags of the workspace, with the number of templates and modules that have each tag. */
export function useTags() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useCursorList({
    queryKey: tagsKey(workspaceId),
    // Always refetched, because users often open this view right after they have changed tags.
    staleTime: 0,
    fetchPage: async (cursor, signal) => {
      const query = { workspaceId, limit: 100, ...(cursor && { cursor }) };
      return (await listTags({ client, query, signal })).data;
    },
  });
}

/** The names of the workspace's tags, up to about MAX_SUGGESTIONS. Empty until the names are loaded. */
export function useTagSuggestions({ isEnabled }: { isEnabled: boolean }): readonly string[] {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const { data = [] } = useQuery({
    queryKey: ['tag-suggestions', workspaceId],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const names: string[] = [];
      const query = { workspaceId, limit: 100 };
      for await (const { data: tags } of pages(listTags, { client, query, signal })) {
        names.push(...tags.map(({ name }) => name));
        if (names.length >= MAX_SUGGESTIONS) break;
      }
      return names;
    },
  });
  return data;
}

interface TagChangeResult {
  changed: number;
  /** False if the user stopped the change. */
  isComplete: boolean;
}

/**
 * Renames or removes a tag in all templates and modules. Repeats the request until no document has the tag any more, or
 * until the user stops the change.
 */
export function useTagChange(onSuccess: (result: TagChangeResult) => void) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const running = useRef<AbortController>(undefined);
  const [changed, setChanged] = useState(0);
  const stop = () => running.current?.abort();
  // Stops the change when its dialog is gone, because nobody would see the progress or an error.
  useEffect(() => () => running.current?.abort(), []);
  const change = useMutation({
    mutationFn: async (send: () => Promise<{ data: TagChange }>): Promise<TagChangeResult> => {
      const { signal } = (running.current = new AbortController());
      let total = 0;
      let isComplete = false;
      while (!isComplete && !signal.aborted) {
        const { data } = await send();
        ({ isComplete } = data);
        total += data.changed;
        setChanged(total);
      }
      return { changed: total, isComplete };
    },
    onMutate: () => setChanged(0),
    onSuccess,
    onSettled: () =>
      Promise.all(
        [
          tagsKey(workspaceId),
          ['templates', workspaceId],
          ['modules', workspaceId],
          ['document'],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  return { change, changed, stop };
}
