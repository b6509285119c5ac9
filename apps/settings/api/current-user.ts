import { getCurrentUser } from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './api-context.js';

/** The signed-in user, as Galley stores the user. */
export function useCurrentUser() {
  const client = useClient();
  return useQuery({
    queryKey: ['current-user'],
    queryFn: async ({ signal }) => (await getCurrentUser({ client, signal })).data.user,
    staleTime: Infinity,
  });
}
