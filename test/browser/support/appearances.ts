import { join } from 'node:path';
import { expect } from '@jest/globals';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { NARROW, SCREENSHOTS, WIDE } from './visitor.js';

const WCAG_2_2_AA: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};
const APPEARANCES = [WIDE, NARROW].flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })),
);

/**
 * Checks the current view in both widths and both colour schemes. Takes screenshots for people, and expects
 * that axe finds no violations and that the page does not scroll sideways.
 */
export async function expectGoodAppearance(page: Page, name: string): Promise<void> {
  const findings: unknown[] = [];
  for (const { size, colorScheme } of APPEARANCES) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(SCREENSHOTS, `${name}-${size.width}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    for (const { id, nodes } of await findViolations(page)) {
      const elements = nodes.map(({ html, failureSummary }) => ({ html, failureSummary }));
      findings.push({ name, width: size.width, colorScheme, rule: id, elements });
    }
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflow > 0) findings.push({ name, width: size.width, overflow });
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(findings).toEqual([]);
}

/** Runs axe through the debugger, to which the Content-Security-Policy does not apply. */
export async function findViolations(page: Page): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(WCAG_2_2_AA)})`);
  return violations;
}
