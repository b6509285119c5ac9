import { GalleyError } from '#client';
import { texts } from '../texts.js';

/** The API's validation messages by field. Empty if the error is not a validation error. */
export function fieldErrorsOf(error: Error): Record<string, string> {
  if (!(error instanceof GalleyError)) return {};
  return Object.fromEntries(
    error.details.map(({ path, message }) => [path, withoutFieldName(path, message)]),
  );
}

/** Removes the field's name from the start of a message, because the input already has a label. */
function withoutFieldName(path: string, message: string): string {
  const text = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Applies the API's rule for the names of workspaces and API keys. */
export function validateName(name: string): string | null {
  const length = name.trim().length;
  if (length === 0) return texts.common.nameRequired;
  return length > 255 ? texts.common.nameTooLong : null;
}
