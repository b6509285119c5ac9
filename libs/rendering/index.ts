/*
 * Renders documents as HTML and plain text, and checks emails. Each folder is imported through its own `index.ts`.
 *
 * `document` defines nodes, warnings and formats for the other folders. `variables` reads the variables that a document
 * declares, `translations` has the texts in other languages, `personalisation` replaces merge tags with data, `icons`
 * has the icons of social networks and blocks, `mail-clients` shows emails as mail clients do, `drawing` draws a
 * document as MJML, and `checks` finds mistakes in an email. `conversion` makes documents from contents of other programs. `schema` contains the JSON Schema of documents.
 *
 * `renderer.ts` runs `drawing/compile.ts`, `checks/check.ts` and `conversion/convert.ts` in threads, and caches the
 * renderings. `turns.ts` shares the threads among tenants. `rendering.ts` and `checking.ts` load documents for a caller
 * and pass them to `renderer.ts`, and `importing.ts` passes the contents of other programs.
 */
export { Checking } from './checking.js';
export { Comparing } from './comparing.js';
export {
  ruleDescriptions,
  ruleNames,
  severities,
  type CheckResult,
  type Finding,
  type RuleName,
  type Severity,
} from './checks/index.js';
export {
  importFormats,
  importOutcomes,
  type ImportFormat,
  type ImportOutcome,
  type ImportReport,
  type ReportEntry,
} from './conversion/index.js';
export { renderFormats, type RenderFormat, type RenderWarning } from './document/index.js';
export { iconOf, ICONS_PATH } from './icons/index.js';
export { Importing } from './importing.js';
export { mailClients, type MailClient } from './mail-clients/index.js';
export type { MergeData } from './personalisation/index.js';
export type { WaitingRequest } from './render-job.js';
export { Renderer, type RenderedDocument, type Variables } from './renderer.js';
export { Rendering } from './rendering.js';
export { RenderingModule } from './rendering.module.js';
export { documentSchema } from './schema/index.js';
export { Translating } from './translating.js';
export { canonicalLanguage, fileFormats, type FileFormat } from './translations/index.js';
