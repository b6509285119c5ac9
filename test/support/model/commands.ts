import fc from 'fast-check';

/*
 * What callers do to templates and modules. Numbers stand for documents and versions: they are taken modulo how
 * many there are when the command runs, so that most commands succeed.
 */

const only = <Name extends string>(name: Name) => fc.constant(name);
const oneOf = (count: number) => fc.nat(count - 1).map((each) => each === 0);

// A run has about five modules and three templates.
const number = fc.nat(11);
const kind = fc.oneof({ weight: 2, arbitrary: only('module') }, only('template'));
const target = fc.record({ kind, number });
const environment = fc.constantFrom('production', 'staging');

/** References to modules. Version 0 follows the latest version. */
const references = fc.array(
  fc.record({
    module: number,
    version: fc.oneof(fc.constant(0), fc.nat(5)),
    isAsOfNow: oneOf(10),
  }),
  { maxLength: 3 },
);
/**
 * A new document. Most modules refer only to modules that were created before them: otherwise, most references
 * would close a cycle. A module with another type does not fit where other documents refer to it.
 */
const document = fc.record({ references, mayCloseCycle: oneOf(3), isStripe: oneOf(10) });

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ action: only('update'), number, document }) },
  fc.record({ action: only('rename'), number }),
  fc.record({ action: only('create'), document }),
  fc.record({ action: only('delete'), number }),
);

const command = fc.oneof(
  { weight: 12, arbitrary: fc.record({ name: only('edit'), target, document }) },
  {
    weight: 2,
    arbitrary: fc.record({ name: only('describe'), target, isTag: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: only('batch'),
      kind,
      operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: only('restore'),
      target,
      version: fc.nat(5),
      modules: fc.constantFrom('as-then', 'as-now'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ name: only('duplicate'), target }) },
  { weight: 3, arbitrary: fc.record({ name: only('delete'), target, force: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ name: only('undelete'), number }) },
  { weight: 1, arbitrary: fc.record({ name: only('purge'), number }) },
  {
    weight: 4,
    // Version 0 is one that does not exist yet.
    arbitrary: fc.record({
      name: only('publish'),
      number,
      version: fc.nat(5),
      environment,
      isLater: oneOf(5),
    }),
  },
  { weight: 1, arbitrary: fc.record({ name: only('unpublish'), number, environment }) },
  { weight: 1, arbitrary: fc.record({ name: only('recreateEnvironment'), isFirst: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      name: only('updateUsages'),
      number,
      version: fc.nat(5),
      templates: fc.option(fc.array(number, { minLength: 1, maxLength: 2 })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ name: only('work') }) },
);

/** A module begins to follow others. Two parallel commands often close a cycle, if nothing prevents it. */
const followModules = fc.record({
  name: only('edit'),
  target: fc.record({ kind: only('module'), number }),
  document: fc.record({
    references: fc.array(
      fc.record({ module: number, version: fc.constant(0), isAsOfNow: fc.constant(false) }),
      { minLength: 1, maxLength: 2 },
    ),
    mayCloseCycle: fc.constant(true),
    isStripe: fc.constant(false),
  }),
});

/** What one caller does, one command after the other. All callers begin at the same time. */
export const commandsOfCaller: fc.Arbitrary<Command[]> = fc
  .tuple(followModules, fc.array(command, { maxLength: 8 }))
  .map(([first, others]) => [first, ...others]);

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Command = Drawn<typeof command>;
export type DrawnTarget = Drawn<typeof target>;
export type DrawnDocument = Drawn<typeof document>;
export type DrawnOperation = Drawn<typeof operation>;
