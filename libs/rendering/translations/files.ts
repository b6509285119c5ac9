import { parse as parseCsv } from 'csv-parse/sync';
import { stringify as toCsv } from 'csv-stringify/sync';
import type { FileFormat, ReadFile, TranslationFile } from './file-formats.js';
import { readXliff, writeXliff } from './xliff.js';

export const writeFile = (format: FileFormat, file: TranslationFile): string =>
  format === 'xliff' ? writeXliff(file) : writeCsv(file);

/** @param language the language into which the file must translate. */
export function readFile(format: FileFormat, content: string, language: string): ReadFile {
  try {
    return format === 'xliff' ? readXliff(content, language) : readCsv(content);
  } catch (error) {
    // The parsers throw errors of different classes, which say where the file is malformed.
    return { problems: [{ path: 'file', message: (error as Error).message }] };
  }
}

const COLUMNS = ['id', 'source', 'text'] as const;

// A spreadsheet would compute a cell that begins with `=` or a sign. The apostrophe makes the cell a text. The last four
// characters are the full-width forms, which some spreadsheets read as the others.
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const writeCsv = ({ texts }: TranslationFile): string =>
  toCsv([...texts], {
    // Without this mark, some spreadsheets read another encoding.
    bom: true,
    header: true,
    columns: [...COLUMNS],
    quoted: true,
    // Shows where a translation belongs.
    quoted_empty: true,
    cast: { string: (cell) => (FORMULA.test(cell) ? `'${cell}` : cell) },
  });
const readCell = (cell = ''): string => (FORMULA.test(cell) ? cell.replace(/^'/, '') : cell);

function readCsv(content: string): ReadFile {
  // Spreadsheets of some languages separate cells by semicolons.
  const [, delimiter = ','] = /^\ufeff?"?id"?([,;\t])/.exec(content) ?? [];
  const rows = parseCsv<Record<string, string>>(content, {
    bom: true,
    columns: true,
    delimiter,
    skip_empty_lines: true,
  });
  const [first] = rows;
  const missing = COLUMNS.filter((name) => first && !Object.hasOwn(first, name));
  if (missing.length > 0) {
    const message = `the file must have the columns ${COLUMNS.join(', ')}; it has no ${missing.join(', ')}`;
    return { problems: [{ path: 'file', message }] };
  }
  return {
    texts: rows.map(({ id, source, text }) => ({
      id: readCell(id),
      source: readCell(source),
      text: readCell(text),
    })),
  };
}
