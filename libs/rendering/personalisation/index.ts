/*
 * Merge tags, conditions and repetitions (docs/adr/0024-data-after-rendering.md). `replaceTags` puts placeholders into a
 * document before `drawing` draws it. `htmlProgram` and `textProgram` cut the results at the placeholders, and
 * `Personalisation` puts the data of a recipient into these programs.
 */
export { parseRepeat, SyntaxProblem } from './expressions.js';
export { RULE, UNDERLINE } from './layout-text.js';
export { Personalisation, type MergeData } from './personalise.js';
export { Placeholders } from './placeholders.js';
export { htmlProgram, MAX_VARIABLES, tagsInUrls, textProgram, type Program } from './program.js';
export { parseTag, replaceTags, TAG } from './replace-tags.js';
