/*
 * The variables that a document declares in `variables`, a JSON Schema (draft 2020-12) for the data of a recipient.
 * `schema.ts` reads the schema, `defaults.ts` fills in what the data does not have, `validate.ts` compares data with
 * the schema in a thread, `breaking-changes.ts` compares two schemas, and `typescript.ts` writes the schema as
 * TypeScript.
 */
export {
  default as compareVariables,
  type BreakingChange,
  type ComparedVariables,
} from './breaking-changes.js';
export { defaultsIn, fillDefaults, hasDefault, withDefaults, type Defaults } from './defaults.js';
export { problemsOf, type ValidationSource } from './validate.js';
export { declarationIn, isDeclared, namesIn, type Declaration } from './schema.js';
