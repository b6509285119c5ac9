/*
 * Renders documents as HTML and plain text, and checks emails. Each folder is imported through its own `index.ts`.
 * `personalisation` replaces merge tags with data, `drawing` draws a document as MJML, `checks` finds mistakes, and
 * `schema` describes documents. All of them use `document`. `renderer.ts` runs `drawing/compile.ts` and
 * `checks/check.ts` in threads, which `turns.ts` shares among tenants, and caches results. `rendering.ts` renders and
 * `checking.ts` checks templates on behalf of a caller.
 */
export { Checking } from './checking.js';
export {
  ruleDescriptions,
  ruleNames,
  severities,
  type CheckResult,
  type Finding,
  type RuleName,
  type Severity,
} from './checks/index.js';
export { renderFormats, type RenderFormat, type RenderWarning } from './document/index.js';
export type { MergeData } from './personalisation/index.js';
export type { WaitingRequest } from './render-job.js';
export { Renderer, type RenderedDocument, type Variables } from './renderer.js';
export { Rendering } from './rendering.js';
export { RenderingModule } from './rendering.module.js';
