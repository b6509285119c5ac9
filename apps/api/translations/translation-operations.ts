import { applyDecorators, Get, Put, type Type } from '@nestjs/common';
import type { DocumentKind } from '#documents';
import { Operation } from '../operations/operation.js';
import { LanguagesResponse, TranslationsResponse } from './translations.responses.js';

const UNAVAILABLE = {
  unavailable: 'Too many documents are being read. Retry after `Retry-After` seconds.',
} as const;

/** Creates the method decorators for the routes of the translations of templates or modules. */
export function translationOperations(kind: DocumentKind, Document: Type) {
  const Kind = kind === 'template' ? 'Template' : 'Module';
  return {
    languages: applyDecorators(
      Get(),
      Operation({
        id: `list${Kind}Translations`,
        summary: `List the languages of a ${kind}`,
        description: `Returns the languages that the ${kind} is translated into, and how much is missing or outdated.`,
        role: 'viewer',
        response: LanguagesResponse,
        errors: UNAVAILABLE,
      }),
    ),
    texts: applyDecorators(
      Get(':language'),
      Operation({
        id: `get${Kind}Translations`,
        summary: `Get the texts of a ${kind} in a language`,
        description: `Returns each text of the ${kind} with its translation. A language without translations has \`text: null\` everywhere.`,
        role: 'viewer',
        response: TranslationsResponse,
        errors: UNAVAILABLE,
      }),
    ),
    xliff: applyDecorators(
      Get(':language/xliff'),
      Operation({
        id: `get${Kind}TranslationsAsXliff`,
        summary: `Get the texts of a ${kind} in a language as XLIFF`,
        description: 'Returns an XLIFF 2.0 file for translation tools.',
        role: 'viewer',
        contentType: 'application/xliff+xml',
        errors: UNAVAILABLE,
      }),
    ),
    csv: applyDecorators(
      Get(':language/csv'),
      Operation({
        id: `get${Kind}TranslationsAsCsv`,
        summary: `Get the texts of a ${kind} in a language as CSV`,
        description:
          'Returns a CSV file for spreadsheets, with the columns `id`, `source` and `text`.',
        role: 'viewer',
        contentType: 'text/csv',
        errors: UNAVAILABLE,
      }),
    ),
    store: applyDecorators(
      Put(':language'),
      Operation({
        id: `store${Kind}Translations`,
        summary: `Store the texts of a ${kind} in a language`,
        description: `Stores translations in a new version of the ${kind}, and returns the ${kind}. Send either \`texts\`, or the \`format\` and \`content\` of a file. If a text does not match the latest version, the request gets 400 and stores nothing. If nothing changes, there is no new version.`,
        role: 'editor',
        response: Document,
        etag: true,
        ifMatch: true,
        errors: UNAVAILABLE,
      }),
    ),
  };
}
