/** The declaration of a variable whose value is secret. */
export interface SecretSpec {
  isSecret: true;
}

/**
 * Marks variables whose values are secret. Galley can also read each of them from a file (`secret-files.ts`), so every
 * validator for secret values must be wrapped in this function.
 */
export const secret = <Validator extends (spec: never) => object>(
  validator: Validator,
): Validator =>
  ((spec: never) => ({ ...validator(spec), isSecret: true }) satisfies SecretSpec) as Validator;

export const isSecret = (spec: object): boolean => 'isSecret' in spec;

/** The name of the variable that contains the path of the file. */
export const fileVariable = (name: string): string => `${name}_FILE`;
