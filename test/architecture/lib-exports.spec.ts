import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

// Callers of the API import the client.
const PUBLIC_LIBS = ['client'];

const sources = globSync('{apps,libs,test,docker}/**/*.{ts,tsx,js}', {
  exclude: ['libs/client/{generated,document,dist}/**'],
}).map((file) => ({ file, source: readFileSync(file, 'utf8') }));

/** The names in the braces of an import or an export. */
const namesIn = (braces: string): string[] =>
  braces
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '');

function exportsOf(lib: string): string[] {
  const source = readFileSync(`libs/${lib}/index.ts`, 'utf8');
  const lists = Array.from(source.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, braces = '']) =>
    namesIn(braces).map((each) => each.replace(/^.* as /, '')),
  );
  const declared = source.matchAll(
    /^export (?:async )?(?:const|function|class|interface|type|\* as) (\w+)/gm,
  );
  return [...lists.flat(), ...Array.from(declared, ([, name = '']) => name)];
}

/** The names that `apps`, other libs and `test` import from a lib. */
function importsOf(lib: string): Set<string> {
  const from = String.raw`'(?:#${lib}|[./\w-]*/libs/${lib}/index\.[jt]s)'`;
  const statements = new RegExp(
    String.raw`(?:import|export) (?:type )?\{([^}]*)\} from ${from}`,
    'g',
  );
  const expressions = new RegExp(
    String.raw`\{([^{}]*)\}\s*=\s*(?:await )?import\(\s*${from}\s*\)`,
    'g',
  );
  const names = sources
    .filter(({ file }) => !file.startsWith(`libs/${lib}/`))
    .flatMap(({ source }) => [...source.matchAll(statements), ...source.matchAll(expressions)])
    .flatMap(([, braces = '']) => namesIn(braces));
  return new Set(names.map((each) => each.replace(/(?: as |:).*$/, '')));
}

const libs = globSync('libs/*/index.ts')
  .map((file) => file.split('/')[1] ?? '')
  .filter((lib) => !PUBLIC_LIBS.includes(lib));

// knip takes these files for entries, since package.json names them, and reports none of their exports.
it.each(libs)('others import each export of #%s', (lib) => {
  const imported = importsOf(lib);
  expect(exportsOf(lib).filter((name) => !imported.has(name))).toEqual([]);
});
