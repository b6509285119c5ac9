/*
 * Merge tags, conditions and repetitions (docs/adr/0024-data-after-rendering.md). `replaceTags` puts placeholders into
 * a document before `drawing` draws it. `htmlProgram` and `textProgram` split the results at the placeholders into
 * programs, and `Personalisation` fills these programs with a recipient's data.
 */
export { parseRepeat, SyntaxProblem } from './expressions.js';
export { RULE, UNDERLINE } from './layout-text.js';
export { Personalisation, type MergeData } from './personalise.js';
export { Placeholders } from './placeholders.js';
export {
  htmlProgram,
  lineProgram,
  MAX_VARIABLES,
  tagsInUrls,
  textProgram,
  type Program,
} from './program.js';
export { parseTag, replaceTags, TAG } from './replace-tags.js';
