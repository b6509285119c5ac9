import compile, { type Source } from '../compile.js';
import type { DocumentNode } from '../mjml/drawing.js';
import { personalise } from '../personalisation/personalise.js';
import { readEmail } from './email/email.js';
import { findIn, type CheckResult, type Levels } from './findings.js';
import { rules, type RuleName } from './rules.js';

export interface CheckSource extends Omit<Source, 'format'> {
  levels: Levels;
}

/** Checks a document. Runs in a worker thread, because the size of the HTML is known only after rendering. */
export default async function check({
  levels,
  ...source
}: CheckSource): Promise<CheckResult<RuleName> | { reason: string }> {
  const compiled = await compile({ ...source, format: 'html' });
  if ('reason' in compiled) return compiled;
  const document = JSON.parse(source.content) as DocumentNode;
  const { programs, warnings, locale } = compiled;
  // Merge tags stay as they are written. The data of a recipient changes the size only a little.
  const html = programs.html ? personalise(programs.html, undefined, locale).text : '';
  return findIn(readEmail(document, html, warnings), rules, levels);
}
