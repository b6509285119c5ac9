import { glob, readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { pinoHttp } from 'pino-http';
import ts from 'typescript';
import { LOGGED_FIELDS, logOptions } from './logging.js';

function createCapturingLogger(lines: string[], level = 'info') {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  return pinoHttp({ ...logOptions({ LOG_LEVEL: level }), stream }).logger;
}

it('an error is logged without its extra fields, which may contain a password', () => {
  const lines: string[] = [];
  const error = Object.assign(new Error('WRONGPASS'), {
    code: 'ERR',
    command: { name: 'auth', args: ['galley', 'hunter2'] },
  });
  createCapturingLogger(lines).error({ err: error }, 'no Redis');
  expect(lines.join('')).toContain('"message":"WRONGPASS"');
  expect(lines.join('')).toContain('"code":"ERR"');
  expect(lines.join('')).not.toContain('hunter2');
});

it.each([
  ['a field that is not listed', { headers: { cookie: 'hunter2' } }],
  ['an object in a field that is listed', { path: { cookie: 'hunter2' } }],
  ['a request', { req: { headers: { cookie: 'hunter2' } } }],
  ['an error on its own', Object.assign(new Error('oops'), { cookie: 'hunter2' })],
  ['an error that quotes its input', { err: new SyntaxError('"hunter2" is not valid JSON') }],
  ['a value that is not an error', { err: 'hunter2' }],
  ['nothing instead of an error', { err: undefined }],
])('%s is hidden', (_case, fields) => {
  const lines: string[] = [];
  createCapturingLogger(lines).info(fields);
  expect(lines).toHaveLength(1);
  expect(lines.join('')).not.toContain('hunter2');
});

it('a stack is logged once a minute for each cause, and always at debug level', () => {
  const linesAt = (level: string) => {
    const lines: string[] = [];
    const logger = createCapturingLogger(lines, level);
    const fail = (code: string) => {
      const cause = Object.assign(new Error('connect'), { code });
      return Object.assign(new Error('No connection', { cause }), { code: 'unavailable' });
    };
    for (const code of ['ECONNREFUSED', 'ECONNREFUSED', 'ETIMEDOUT', 'ECONNREFUSED']) {
      logger.error({ err: fail(code) });
    }
    return lines.map((line) => (JSON.parse(line) as { err: { stack?: string } }).err);
  };
  expect(linesAt('info').map(({ stack }) => stack !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(linesAt('debug').every(({ stack }) => stack !== undefined)).toBe(true);
  expect(linesAt('info')[1]).toEqual({
    type: 'Error',
    message: 'No connection: connect',
    code: 'ECONNREFUSED',
  });
});

it('every field that the programs log is in LOGGED_FIELDS', async () => {
  const unlisted = new Set<string>();
  let calls = 0;
  for await (const path of glob('{apps/{api,worker},libs}/**/*.ts')) {
    const file = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest);
    const literals = new Map<string, ts.Node>();
    const addFields = (node: ts.Node | undefined): void => {
      if (node === undefined) return;
      if (ts.isIdentifier(node)) addFields(literals.get(node.text));
      if (!ts.isObjectLiteralExpression(node)) return;
      for (const property of node.properties) {
        if (ts.isSpreadAssignment(property)) addFields(property.expression);
        else {
          const name = (property.name as ts.Identifier).text;
          if (!LOGGED_FIELDS.has(name)) unlisted.add(`${path}: ${name}`);
        }
      }
    };
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name)) {
        literals.set(node.name.text, node.initializer);
      }
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const { expression: target, name } = node.expression;
        const isLogger = /(^|\.)logger$/.test(nameOf(target));
        if (isLogger && /^(log|error|warn|debug|verbose|fatal|info|trace)$/.test(name.text)) {
          calls++;
          addFields(node.arguments[0]);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  expect(calls).toBeGreaterThan(20);
  expect([...unlisted]).toEqual([]);
});

const nameOf = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? `this.${node.name.text}` : '';
};

it('docs/run/operations.md explains every field in LOGGED_FIELDS', async () => {
  const operations = await readFile('docs/run/operations.md', 'utf8');
  const [, logs = ''] = /\n## Logs\n(.*?)\n## /s.exec(operations) ?? [];
  const explained = Array.from(logs.matchAll(/`(\w+)`/g), ([, field]) => field);
  expect(explained).toEqual(expect.arrayContaining([...LOGGED_FIELDS]));
});
