import { afterAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '../../support/galley/database.js';
import { Program } from '../../support/processes/program.js';

const database = await createDatabase('template0');
afterAll(() => database.drop());

const COMMANDS = [
  'api/main',
  'worker/main',
  'standalone/main',
  'migrate/main',
  'doctor/main',
  'maintenance/admin',
  'maintenance/backup',
  'maintenance/erase-user',
  'maintenance/restore',
  'maintenance/workspace',
];

describe.each(COMMANDS)('%s', (command) => {
  async function run(argument: string) {
    const program = new Program(process.execPath, [`dist/apps/${command}.js`, argument], {
      DATABASE_URL: database.url,
    });
    const [code] = await program.waitForExit();
    return { code, output: program.output };
  }

  it.each(['--help', '-h'])('with %s prints its usage', async (argument) => {
    const { code, output } = await run(argument);
    expect(output).toMatch(/npm (?:run |start)/);
    expect(code).toBe(0);
  });

  it('with an unknown option does nothing, and says how to use it', async () => {
    const { code, output } = await run('--bogus');
    expect(output).toMatch(/npm (?:run |start)|--help/);
    expect(output).not.toContain('positional');
    expect(code).toBe(1);
    expect(await database.count(`pg_class WHERE relnamespace = 'public'::regnamespace`)).toBe(0);
  });
});
