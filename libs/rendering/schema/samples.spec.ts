import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import compile from '../drawing/compile.js';
import { documentSchema } from './document-schema.js';

interface Sample {
  name: string;
  content: Record<string, unknown>;
}

const BULK = ['newsletter', 'digest', 'event', 'letter'];
const isValid = new Ajv2020({ allowUnionTypes: true }).compile(documentSchema());
const samples = globSync('apps/settings/samples/*.json').map((path): [string, Sample] => [
  basename(path, '.json'),
  JSON.parse(readFileSync(path, 'utf8')) as Sample,
]);

/** The objects in a document, from top to bottom. */
function* nodesIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const each of Object.values(value)) yield* nodesIn(each);
}

it('there are ten samples', () => {
  expect(samples.map(([file]) => file)).toHaveLength(10);
});

describe.each(samples)('%s', (file, { name, content }) => {
  const json = JSON.stringify(content);

  it('follows the schema, and is drawn without a warning', async () => {
    isValid(content);
    expect(isValid.errors ?? []).toEqual([]);
    const compiled = await compile({
      content: json,
      title: name,
      format: 'html',
      publicUrl: 'https://a.example',
    });
    const warnings = 'warnings' in compiled ? compiled.warnings : [compiled.reason];
    expect(warnings).toEqual([]);
  });

  it('has a language, a preheader and well-ordered headings', () => {
    expect(content).toMatchObject({
      language: file === 'invoice' ? 'ar' : 'en',
      preheader: expect.stringMatching(/\S/),
    });
    const levels = [...nodesIn(content)]
      .filter(({ type }) => type === 'heading')
      .map(({ props }) => Number((props as Record<string, unknown>)['level']));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  it('has an unsubscribe link if it is a bulk email', () => {
    expect(json.includes('{{unsubscribeUrl}}')).toBe(BULK.includes(file));
  });
});
