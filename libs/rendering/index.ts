/*
 * HTML and plain text from documents. `mjml` draws a document as MJML, and `text` makes plain
 * text, both with pure functions. `compile.ts` makes HTML from the MJML. `checks` has the rules
 * that find mistakes in an email. `renderer.ts` runs the compilation and the checks in threads,
 * which `turns.ts` shares among tenants, and caches the results. `personalisation` replaces
 * merge tags with data. `rendering.ts` renders and `checking.ts` checks templates for a caller.
 */
export { Checking } from './checking.js';
export { severities, type Severity } from './checks/rule.js';
export { ruleDescriptions, ruleNames, type RuleName } from './checks/rules.js';
export type { CheckResult, Finding } from './checks/findings.js';
export { renderFormats, type RenderFormat } from './render-formats.js';
export { Rendering } from './rendering.js';
export { Renderer } from './renderer.js';
export { RenderingModule } from './rendering.module.js';
export type { MergeData } from './personalisation/personalise.js';
export type { WaitingRequest } from './render-job.js';
export type { RenderedDocument, Variables } from './renderer.js';
export type { RenderWarning } from './mjml/drawing.js';
