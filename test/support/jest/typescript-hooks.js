import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import swcOptions from './swc-options.js';

const project = new URL('../../../', import.meta.url).href;
const packages = `${project}node_modules/`;
const isOurs = (url) => url?.startsWith(project) && !url.startsWith(packages);
const isOfOneFile = (url) => url.startsWith(`${project}test/`) || url.endsWith('.spec.ts');

enableCompileCache();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { conditions, parentURL } = context;
    if (!isOurs(parentURL)) return nextResolve(specifier, context);
    const { search } = new URL(parentURL);
    if (specifier === '@jest/globals') {
      return { url: import.meta.resolve('./globals.js') + search, shortCircuit: true };
    }
    if (specifier.startsWith('#')) {
      return nextResolve(specifier, { ...context, conditions: [...conditions, 'source'] });
    }
    if (!specifier.startsWith('.')) return nextResolve(specifier, context);
    const source = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
    if (!source.pathname.endsWith('.ts') || !existsSync(source))
      return nextResolve(specifier, context);
    return { url: source.href + (isOfOneFile(source.href) ? search : ''), shortCircuit: true };
  },
  load(url, context, nextLoad) {
    const { pathname } = new URL(url);
    if (!isOurs(url) || !pathname.endsWith('.ts')) return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swcOptions, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
