import { useApiKeys } from '../api-keys/use-api-keys.js';
import { nameOfMember } from './member-rules.js';
import { useMembers } from './use-members.js';

/**
 * Finds the name of a user id: the name of a member or, if the reader may list the API keys, the name of a
 * key. Undefined for former members, and while the names load.
 */
export function useUserNames(): (userId: string) => string | undefined {
  const { data: members } = useMembers();
  const { data: keys } = useApiKeys();
  return (userId) => {
    const member = members?.find((each) => each.userId === userId);
    if (member) return nameOfMember(member);
    return keys?.find((key) => key.userId === userId)?.name;
  };
}
