import { it } from '@jest/globals';

/** A test of a race or of atomicity. Nothing runs such a test again, not even `.ci/run`: one loss is a defect. */
export function itRaces(name: string, test: () => Promise<void>): void {
  it(`${name} (race)`, test);
}
