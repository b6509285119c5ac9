import { texts } from '../texts/index.js';

/** The rule of the API for the names of workspaces and keys. */
export function validateName(name: string): string | null {
  const length = name.trim().length;
  if (length === 0) return texts.common.nameRequired;
  return length > 255 ? texts.common.nameTooLong : null;
}
