/*
 * The rules that find mistakes in an email (docs/adr/0025-checks-read-the-document.md). `check.ts` is the entry point
 * of a worker thread: it renders the document and applies the rules.
 */
export type { CheckSource, Refusal } from './check.js';
export type { CheckResult, Finding } from './findings.js';
export { severities, type Severity } from './rule.js';
export { ruleDescriptions, ruleNames, type RuleName } from './rules.js';
