import compile from '../drawing/compile.js';
import type { Source } from '../drawing/index.js';
import { Undrawable, type DocumentNode } from '../document/index.js';
import { Personalisation } from '../personalisation/index.js';
import { readEmail } from './email/email.js';
import { findIn, type CheckResult, type Levels } from './findings.js';
import { rules, type RuleName } from './rules.js';

export interface CheckSource extends Omit<Source, 'format'> {
  levels: Levels;
  /** The latest version of each module that the document pins, by module id. */
  latestVersions: Readonly<Record<string, number>>;
}

/**
 * Renders a document and checks it. Some rules need the HTML, and rendering would block the event loop, so this
 * function runs in a worker thread.
 */
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
    // `readEmail` reads the document with its merge tags, which `compile` replaced with placeholders. HTML tags inside
    // merge tags count here, so a text may exceed a limit that it met in `compile`.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}
