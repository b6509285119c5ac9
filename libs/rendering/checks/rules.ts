import { clientRules } from './rules/clients.js';
import { colourRules } from './rules/colours.js';
import { imageRules } from './rules/images.js';
import { inboxRules } from './rules/inbox.js';
import { linkRules } from './rules/links.js';
import { mergeTagRules } from './rules/merge-tags.js';
import type { Rule } from './rule.js';
import { sizeRules } from './rules/size.js';
import { structureRules } from './rules/structure.js';
import { textRules } from './rules/texts.js';
import { translationRules } from './rules/translations.js';
import { variableRules } from './rules/variables.js';

/** All rules, in the order in which their findings are listed. */
export const rules = [
  ...sizeRules,
  ...inboxRules,
  ...structureRules,
  ...imageRules,
  ...linkRules,
  ...textRules,
  ...colourRules,
  ...clientRules,
  ...mergeTagRules,
  ...variableRules,
  ...translationRules,
];

/** The names, default severities and help texts of the rules, for the API and its reference. */
export const ruleDescriptions: readonly Pick<Rule<RuleName>, 'name' | 'severity' | 'help'>[] =
  rules.map(({ name, severity, help }) => ({ name, severity, help }));

export type RuleName = (typeof rules)[number]['name'];
export const ruleNames: readonly RuleName[] = rules.map(({ name }) => name);
