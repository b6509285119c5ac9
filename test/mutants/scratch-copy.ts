import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import type { Defect } from './defect.ts';

/** A copy of the checkout in a temporary folder, in which defects are planted. */
export interface ScratchCopy {
  directory: string;
  /**
   * Plants a defect in the source and in `dist`, from which some tests start programs.
   * @returns a function that restores the files.
   * @throws if the text of the defect does not occur exactly once, or if its replacement has a syntax error.
   */
  plant(defect: Defect): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

export async function createScratchCopy(checkout: string): Promise<ScratchCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'galley-mutants-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: checkout, encoding: 'utf8' }).split('\0');
  for (const file of files) {
    const source = join(checkout, file);
    if (file !== '' && existsSync(source)) await cp(source, join(directory, file));
  }
  await cp(join(checkout, 'dist'), join(directory, 'dist'), { recursive: true });
  await symlink(join(checkout, 'node_modules'), join(directory, 'node_modules'));
  const { config } = ts.readConfigFile(join(directory, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: { compilerOptions: object };
  };
  // A single file has no package.json, which would tell `nodenext` that it is an ES module.
  const compilerOptions = { ...config.compilerOptions, module: 'esnext' };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, directory);

  return {
    directory,
    plant: async ({ file, text, replacement }) => {
      const source = join(directory, file);
      const program = join(directory, 'dist', file.replace(/ts$/, 'js'));
      const original = await readFile(source, 'utf8');
      const [before, after, ...others] = original.split(text);
      if (before === undefined || after === undefined || others.length > 0) {
        throw new Error(`The text does not occur exactly once in ${file}.`);
      }
      const changed = before + replacement + after;
      const { outputText, diagnostics } = ts.transpileModule(changed, {
        fileName: source,
        compilerOptions: options,
        reportDiagnostics: true,
      });
      if (diagnostics?.length) throw new Error(`The replacement has a syntax error in ${file}.`);
      const originalProgram = await readFile(program, 'utf8');
      await writeFile(source, changed);
      await writeFile(program, outputText);
      return async () => {
        await writeFile(source, original);
        await writeFile(program, originalProgram);
      };
    },
    remove: () => rm(directory, { recursive: true }),
  };
}
