import compile from '../drawing/compile.js';
import type { Source } from '../drawing/index.js';
import { Undrawable, type DocumentNode } from '../document/index.js';
import { Personalisation } from '../personalisation/index.js';
import { readEmail } from './email/email.js';
import { findIn, type CheckResult, type Levels } from './findings.js';
import { rules, type RuleName } from './rules.js';

export interface CheckSource extends Omit<Source, 'format'> {
  levels: Levels;
  /** The latest versions of the modules that the document pins, by module id. */
  latestVersions: Readonly<Record<string, number>>;
}

/** Checks a document. Runs in a worker thread, because the size of the HTML is known only after rendering. */
export default async function check({
  levels,
  latestVersions,
  ...source
}: CheckSource): Promise<CheckResult<RuleName> | { reason: string }> {
  const compiled = await compile({ ...source, format: 'html' });
  if ('reason' in compiled) return compiled;
  const document = JSON.parse(source.content) as DocumentNode;
  const { programs, warnings, locale } = compiled;
  // Without data, merge tags are kept as written.
  const html = programs.html ? new Personalisation(undefined, locale).fill(programs.html) : '';
  try {
    return findIn(readEmail(document, { html, warnings, latestVersions }), rules, levels);
  } catch (error) {
    // The texts contain merge tags here instead of placeholders, so a text may exceed the limit on HTML tags only now.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}
