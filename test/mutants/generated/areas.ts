/** Pure functions, and the unit tests that must find their mutants. */
export interface Area {
  name: string;
  /** Globs of sources; specs are left out. */
  sources: string[];
  /** Globs of tests. Each mutant runs those that reach it, so that a test that takes seconds is no choice. */
  tests: string[];
  /**
   * Whether most strings are sentences for people, such as the help of a rule. Strings are not mutated then: a
   * test of prose finds no defects.
   */
  hasTexts?: boolean;
}

export const areas: Area[] = [
  {
    name: 'signatures',
    sources: ['libs/webhooks/sending/signature.ts'],
    tests: ['libs/webhooks/sending/signature.spec.ts'],
  },
  {
    name: 'retry schedule',
    sources: ['libs/webhooks/pipeline/retry-schedule.ts', 'libs/webhooks/sending/retry-after.ts'],
    tests: ['libs/webhooks/pipeline/retry-schedule.spec.ts'],
  },
  {
    name: 'address policy',
    sources: ['libs/webhooks/sending/{address-policy,endpoint-url}.ts'],
    tests: ['libs/webhooks/sending/{address-policy,endpoint-url}.spec.ts'],
  },
  {
    name: 'expressions',
    sources: ['libs/rendering/personalisation/{expressions,filters,places,cost}.ts'],
    tests: ['libs/rendering/personalisation/{expressions,filters,places,cost}.spec.ts'],
  },
  {
    name: 'personalisation',
    sources: ['libs/rendering/personalisation/{personalise,placeholders,program,replace-tags}.ts'],
    tests: ['libs/rendering/personalisation/{personalise,program}.spec.ts'],
  },
  {
    name: 'formatted texts',
    sources: ['libs/rendering/checks/email/{colours,rich-text-reader,text-style}.ts'],
    tests: ['libs/rendering/checks/email/{colours,rich-text-reader,text-style}.spec.ts'],
  },
  {
    name: 'blocks',
    sources: ['libs/rendering/checks/email/{blocks,email,places}.ts'],
    tests: ['libs/rendering/checks/email/{blocks,email}.spec.ts'],
  },
  {
    name: 'rules',
    sources: ['libs/rendering/checks/rules/*.ts'],
    tests: ['libs/rendering/checks/rules/*.spec.ts'],
    hasTexts: true,
  },
  {
    name: 'findings',
    // Not check.ts, which renders: its tests take too long to run for each mutant.
    sources: ['libs/rendering/checks/{findings,rules}.ts'],
    tests: ['libs/rendering/checks/findings.spec.ts', 'libs/rendering/checks/rules/rules.spec.ts'],
    hasTexts: true,
  },
  {
    name: 'words of searches',
    sources: ['libs/documents/search/{words,extract-text}.ts'],
    tests: ['libs/documents/search/{words,extract-text}.spec.ts'],
  },
  {
    name: 'keysets',
    sources: ['libs/database/lists/keyset.ts'],
    tests: ['libs/database/lists/*.spec.ts'],
  },
  {
    name: 'fair queue',
    sources: ['libs/fair-queue/fair-queue.ts'],
    tests: ['libs/fair-queue/*.spec.ts'],
  },
];
