import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Program } from '../../support/processes/program.js';

let galley: Galley;
let directory: string;

beforeAll(async () => {
  galley = await startGalley({ worker: true, mailServer: true });
  directory = await mkdtemp(join(tmpdir(), 'galley-tutorials-'));
});
afterAll(async () => {
  await galley.stop();
  await rm(directory, { recursive: true });
});

const blocksOf = async (page: string, language: string): Promise<string[]> =>
  [
    ...(await readFile(page, 'utf8')).matchAll(
      new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'),
    ),
  ].map(([, block = '']) => block);
const bashBlocksOf = (page: string) => blocksOf(page, 'bash');

/** Pastes all bash blocks of a page into a shell that has done the first step of the README's tutorial. */
async function paste(page: string): Promise<string> {
  const blocks = await bashBlocksOf(page);
  const firstStep =
    (await bashBlocksOf('README.md')).find((block) => block.includes('TOKEN=')) ?? '';
  const prelude = firstStep
    .replace(/^API=.*$/m, `API=${galley.url}`)
    .replace(/^TOKEN=.*$/m, `TOKEN=${await galley.issuer.token('ada')}`);
  const shell = new Program('bash', [
    '-eu',
    '-o',
    'pipefail',
    '-c',
    // Not the folder of the pages, where an earlier run may have left a file.
    [prelude, ...blocks].join('\n').replaceAll('/tmp/', `${directory}/`),
  ]);
  expect([await shell.exited, shell.output]).toEqual([[0, null], shell.output]);
  return shell.output;
}

it('docs/use/reuse.md does what it says', async () => {
  const output = await paste('docs/use/reuse.md');
  const shown = [...output.matchAll(/"content": ?"Kitchen, (\d) Main Street"/g)].map(
    ([, number]) => number,
  );
  // The new module, the letter; the change of the pinned module, the letter; the letter after the update of
  // its pin; the restored letter; the letter of the section about `expand`.
  expect(shown).toEqual(['2', '2', '3', '2', '3', '1', '1']);
  expect(output).toContain('"before":"Kitchen, 2 Main Street","after":"Kitchen, 3 Main Street"');
  expect(output).not.toMatch(/"statusCode":(?!409)/);
});

it('docs/use/external-ids.md does what it says', async () => {
  const output = await paste('docs/use/external-ids.md');
  // After the user and the created template.
  const all = output.trim().split('\n');
  const lines = all.slice(all.findIndex((line) => line.startsWith('{"id"')) + 1);
  const [batch = '', ...others] = lines.splice(2);
  expect([...lines, ...others]).toEqual(['1', '2', 'Welcome aboard', '1']);
  const { data } = JSON.parse(batch) as { data: object[] };
  expect(data).toMatchObject([
    { action: 'update', template: { externalId: 'crm/1', version: 2 } },
    { action: 'create', template: { externalId: 'crm/2', version: 1 } },
  ]);
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/publishing.md does what it says', async () => {
  const output = await paste('docs/use/publishing.md');
  expect(output).toContain('"environment":"production","version":1');
  expect(output).toContain('"status":"scheduled","version":2');
  expect(output).toContain('"note":"Spring campaign"');
  expect(output).toContain('"key":"glk_');
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/rendering.md does what it says', async () => {
  const output = await paste('docs/use/rendering.md');
  expect(await readFile(join(directory, 'welcome.html'), 'utf8')).toMatch(
    /<h1[^>]*>Welcome aboard<\/h1>/,
  );
  expect(output).toContain('Begin: https://example.com');
  expect(output).toContain('A block of the unknown type poll is left out.');
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/variables.md does what it says', async () => {
  const output = await paste('docs/use/variables.md');
  const [refusal, breaking = ''] = await blocksOf('docs/use/variables.md', 'json');
  expect(output).toContain(inspect(JSON.parse(breaking)));
  expect(output).toContain(
    JSON.stringify((JSON.parse(refusal ?? '') as { details: object[] }).details),
  );
  expect(output).toContain('Thank you, friend\n\n-  Tea: 8\n-  Sugar: 0\n');
  expect(output).toContain((await blocksOf('docs/use/variables.md', 'ts'))[0]);
});

it('docs/use/translations.md does what it says', async () => {
  const output = await paste('docs/use/translations.md');
  const [rendered = '', progress = ''] = await blocksOf('docs/use/translations.md', 'json');
  for (const shown of [rendered, progress]) {
    const members = JSON.stringify(JSON.parse(shown))
      .slice(1, -1)
      .split(/,(?="\w+":)/);
    for (const member of members) expect(output).toContain(member);
  }
  expect(output.trim().split('\n').slice(-2)).toEqual(['2', '3']);
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/test-emails.md does what it says', async () => {
  const output = await paste('docs/use/test-emails.md');
  expect(output).toContain('"accepted":["reviews@example.com"],"response":"250 2.0.0 Ok');
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/imports.md does what it says', async () => {
  const output = await paste('docs/use/imports.md');
  const [report = ''] = await blocksOf('docs/use/imports.md', 'json');
  const { entries } = JSON.parse(report) as { entries: { message: string }[] };
  for (const { message } of entries) expect(output).toContain(message);
  expect(output).toContain('Hello {{user.name}}, the <a href');
  expect(output).not.toContain('"statusCode"');
});

it('docs/use/checking.md does what it says', async () => {
  const output = await paste('docs/use/checking.md');
  const rules = ['link-empty', 'alt-missing', 'contrast-low'];
  for (const rule of rules) expect(output).toContain(`rule: '${rule}'`);
  expect(output).toContain('error: 1');
  expect(output).toContain('{{user.name}} has no default.');
  expect(output).toContain('"levels":{"alt-missing":"error","unsubscribe-missing":"off"}');
  expect(output).toContain(
    'The version has 2 errors, and the workspace does not publish versions with errors.',
  );
  expect(output).not.toMatch(/"statusCode":(?!409)/);
});
