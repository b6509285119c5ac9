import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { rawData as data } from 'caniemail';
import prettier from 'prettier';
import { features } from './features.js';

const FILE = 'libs/rendering/checks/clients/client-support.ts';

type Versions = Record<string, string>;

const families: Record<string, string> = data.nicenames.family;
const platforms: Record<string, string> = data.nicenames.platform;

/** The clients that do not support a feature, those with the most readers first. */
function clientsWithout(slug: string): string[] {
  const feature = data.data.find((each) => each.slug === slug);
  if (!feature) throw new Error(`caniemail has no feature ${slug}`);
  const stats = feature.stats as unknown as Record<string, Record<string, Versions>>;
  return Object.entries(families).flatMap(([family, name]) => {
    const all = Object.entries(stats[family] ?? {});
    const without = all.filter(([, versions]) => latestOf(versions).startsWith('n'));
    if (without.length === all.length && all.length > 0) return [name];
    return without.map(([platform]) => `${name} (${platforms[platform] ?? platform})`);
  });
}

/** The support by the latest version: versions are years (`2019`), then numbers (`16.80`), or months (`2024-04`). */
function latestOf(versions: Versions): string {
  const numbersOf = (version: string) =>
    (/^20\d\d$/.test(version) ? `0.${version}` : version).split(/[.-]/).map(Number);
  const [latest = ''] = Object.keys(versions).sort((one, other) => {
    const [a, b] = [numbersOf(one), numbersOf(other)];
    const index = a.findIndex((number, position) => number !== b[position]);
    return index === -1 ? b.length - a.length : (b[index] ?? 0) - (a[index] ?? 0);
  });
  return versions[latest] ?? '';
}

it('the table of mail clients is that of caniemail (else: npm run generate)', async () => {
  const table = Object.fromEntries(features.map(({ slug }) => [slug, clientsWithout(slug)]));
  const text = await prettier.format(
    `// Written by client-support.spec.ts from the data of caniemail.com (MIT), of ${data.last_update_date.slice(0, 10)}.

/** The mail clients that do not support a feature, by the name that caniemail.com has for the feature. */
export const clientsWithout: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(table)};
`,
    { ...(await prettier.resolveConfig(FILE)), parser: 'typescript' },
  );
  if (process.env['GENERATE']) await writeFile(FILE, text);
  expect(await readFile(FILE, 'utf8')).toBe(text);
});
