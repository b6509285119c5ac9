import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('the frame’s Content-Security-Policy allows its script', () => {
  const page = readFileSync(new URL('frame.html', import.meta.url), 'utf8');
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page).toContain(`script-src 'sha256-${hash}';`);
});
