/*
 * Reads the JSON of other editors as MJML elements. A part that an editor has and MJML does not have becomes HTML, or an
 * entry of the report.
 */
import type { ImportFormat } from '../formats.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import type { Report } from '../report.js';
import { readBeefree } from './beefree.js';
import { readEasyEmail } from './easy-email.js';
import { readEmailBuilder } from './email-builder.js';
import { readGrapesJs } from './grapesjs-mjml.js';
import { readTemplatical } from './templatical.js';
import { parseObject } from './tree.js';
import { readUnlayer } from './unlayer.js';

const readers = {
  'easy-email': readEasyEmail,
  'email-builder': readEmailBuilder,
  unlayer: readUnlayer,
  beefree: readBeefree,
  templatical: readTemplatical,
  'grapesjs-mjml': readGrapesJs,
};

/** @throws NotImportable if the content is not JSON of the format. */
export const readEditorContent = (
  report: Report,
  format: Exclude<ImportFormat, 'mjml' | 'html'>,
  content: unknown,
): MjmlElement => readers[format](report, parseObject(content));
