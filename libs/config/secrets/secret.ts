/** The mark that `secret` adds to the declaration of a variable. */
export interface SecretSpec {
  isSecret: true;
}

/**
 * Marks a variable as secret. Galley can also read a secret from a file (`secret-files.ts`), so every validator for
 * secrets must be wrapped in this function.
 */
export const secret = <Validator extends (spec: never) => object>(
  validator: Validator,
): Validator =>
  ((spec: never) => ({ ...validator(spec), isSecret: true }) satisfies SecretSpec) as Validator;

export const isSecret = (spec: object): boolean => 'isSecret' in spec;

/** The name of the variable that contains the path of a file with the secret. */
export const fileVariable = (name: string): string => `${name}_FILE`;
