/*
 * Turns MJML, HTML and the documents of other editors into documents of Galley, with a report of what is different. The
 * formats of editors become MJML elements first, so that one converter has all rules. `convert.ts` is the entry point of
 * a worker thread. Code outside the threads imports only types and names from this folder.
 */
export { importFormats, type ImportFormat } from './formats.js';
export {
  importOutcomes,
  type ImportOutcome,
  type ImportReport,
  type ReportEntry,
} from './report.js';
