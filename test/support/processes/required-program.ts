import { spawnSync } from 'node:child_process';

/**
 * Whether a program is installed. CI, which sets `CI`, must have it: there, a test that is skipped would look
 * like one that has passed.
 */
export function hasProgram(program: string, howToInstall: string): boolean {
  const { error } = spawnSync(program, ['-v']);
  if (error === undefined) return true;
  if (process.env['CI']) throw new Error(`${program} is not installed: ${howToInstall}`);
  return false;
}
