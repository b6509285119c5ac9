import { glob, readFile } from 'node:fs/promises';
import ts from 'typescript';

/** A string in the code, of which a statement may consist, and the constant or function that it belongs to. */
export interface SqlSource {
  lib: string;
  file: string;
  name: string;
  /** The parts of a template literal between its expressions, without white space at both ends. */
  parts: readonly string[];
}

const IS_SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/;

/** All strings with SQL in the libs. */
export async function readSqlSources(): Promise<SqlSource[]> {
  const sources: SqlSource[] = [];
  for await (const file of glob('libs/*/**/*.ts')) {
    if (file.endsWith('.spec.ts') || file.includes('/migrations/')) continue;
    const text = await readFile(file, 'utf8');
    const lib = file.split('/')[1] ?? '';
    const visit = (node: ts.Node, name: string): void => {
      // The names inside of a function say less.
      const ownName = name || (nameOf(node) ?? '');
      const parts = partsOf(node);
      if (parts && IS_SQL.test(parts.join(' '))) sources.push({ lib, file, name: ownName, parts });
      node.forEachChild((child) => visit(child, ownName));
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), '');
  }
  return sources;
}

/**
 * The source that a statement, without white space at both ends, begins and ends with; if there are several, the one with most of its text. A statement
 * that is joined from several strings has the source with most of its text.
 */
export function findSource(
  statement: string,
  sources: readonly SqlSource[],
): SqlSource | undefined {
  const contained = sources.filter(({ parts }) => hasInOrder(statement, parts));
  const whole = contained.filter(
    ({ parts }) =>
      statement.startsWith(parts[0] ?? '') &&
      statement.endsWith(parts.at(-1) ?? '') &&
      (parts.length > 1 || statement === parts[0]),
  );
  const candidates = whole.length > 0 ? whole : contained;
  return candidates.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
}

const lengthOf = ({ parts }: SqlSource): number => parts.join('').length;

function hasInOrder(statement: string, parts: readonly string[]): boolean {
  let position = 0;
  for (const part of parts) {
    const found = statement.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return true;
}

function nameOf(node: ts.Node): string | undefined {
  if (
    !ts.isVariableDeclaration(node) &&
    !ts.isFunctionDeclaration(node) &&
    !ts.isMethodDeclaration(node)
  ) {
    return undefined;
  }
  return node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function partsOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return [node.text.trim()];
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  const last = parts.pop() ?? '';
  return [...parts, last.trimEnd()].with(0, node.head.text.trimStart());
}
