import { DomainError } from '#errors';
import compile from '../drawing/compile.js';
import type { Source } from '../drawing/index.js';
import { inboxTexts, Undrawable, type DocumentNode, type InboxText } from '../document/index.js';
import { Personalisation, type MergeData } from '../personalisation/index.js';
import { progressOf, translate } from '../translations/index.js';
import { compareVariables, withDefaults } from '../variables/index.js';
import { readEmail } from './email/email.js';
import { findIn, type CheckResult, type Levels } from './findings.js';
import { rules, type RuleName } from './rules.js';

export interface CheckSource extends Omit<Source, 'format'> {
  /** The data of a recipient; without data, merge tags are kept as written. */
  data?: MergeData | undefined;
  levels: Levels;
  /** The document as JSON that is published now, if the check is made before another version is published. */
  published?: string | undefined;
  /** The latest version of each module that the document pins, by module id. */
  latestVersions: Readonly<Record<string, number>>;
}

/** Why a document cannot be drawn, or cannot be filled with the data. */
export type Refusal = { reason: string } | { dataProblem: string };

/**
 * Renders a document and checks it. Some rules need the HTML, and rendering would block the event loop, so this
 * function runs in a worker thread.
 */
export default async function check({
  levels,
  latestVersions,
  published,
  data,
  ...source
}: CheckSource): Promise<CheckResult<RuleName> | Refusal> {
  const compiled = await compile({ ...source, format: 'html' });
  if ('reason' in compiled) return compiled;
  const document = JSON.parse(source.content) as DocumentNode;
  // Most documents have no translations, and need no second walk.
  const translations = source.content.includes('"translations"') ? progressOf(document) : [];
  if (source.language !== undefined) translate(document, source.language);
  const breaking =
    published === undefined
      ? []
      : compareVariables({ content: source.content, before: published }).changes;
  const { programs, warnings, locale, defaults } = compiled;
  const used = new Set(Object.values(programs).flatMap(({ variables }) => [...variables]));
  try {
    const filled = data && defaults ? withDefaults(data, defaults) : data;
    const run = new Personalisation(filled, locale);
    const inbox: Partial<Record<InboxText, string>> = {};
    for (const name of inboxTexts) if (programs[name]) inbox[name] = run.fill(programs[name]);
    const html = programs.html ? run.fill(programs.html) : '';
    const missing = data && run.missing;
    return findIn(
      readEmail(document, {
        html,
        inbox,
        used,
        warnings,
        latestVersions,
        missing,
        translations,
        breaking,
      }),
      rules,
      levels,
    );
  } catch (error) {
    // `withDefaults` and `fill` reject data that makes the result too large. Errors lose their class when they leave
    // the thread, so `check` returns the reason.
    if (error instanceof DomainError) return { dataProblem: error.message };
    // `compile` replaces merge tags with placeholders. `readEmail` reads the original document, so HTML inside merge
    // tags counts towards the limits of a text (`rich-text.ts`). Therefore, `readEmail` may reject a text that
    // `compile` accepted.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}
