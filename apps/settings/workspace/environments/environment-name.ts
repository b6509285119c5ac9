import { words } from './texts.js';

const NAME = /^[a-z0-9-]{1,32}$/;

/** The API's limit on the environments of a workspace, including `production`. */
export const MAX_ENVIRONMENTS = 20;

/** Applies the API's rules for the name of a new environment. */
export function validateEnvironmentName(
  name: string,
  existing: readonly { name: string }[],
): string | null {
  if (!NAME.test(name)) return words.nameInvalid;
  return existing.some((each) => each.name === name) ? words.nameTaken : null;
}
