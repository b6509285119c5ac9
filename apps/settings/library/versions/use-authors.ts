import { texts } from '../../texts/index.js';
import { useUserNames } from '../../workspace/members/use-user-names.js';

/** Finds the name of the author of a version. Galley does not know the authors of the first versions of modules. */
export function useAuthors(): (userId: string | null) => string {
  const nameOf = useUserNames();
  return (userId) => (userId !== null && nameOf(userId)) || texts.library.unknownAuthor;
}
