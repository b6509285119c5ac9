import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { signInUsers } from '../../support/galley/users.js';
import { commandsOfCaller } from '../../support/model/commands.js';
import { expectConsistent } from '../../support/model/expect-consistent.js';
import { World } from '../../support/model/world.js';

/*
 * Random changes by parallel callers. Afterwards, the tables and the responses are those of a plain
 * implementation. `MODEL_RUNS=300` makes the test longer. fast-check prints the seed and all requests of a run
 * that fails; requests in parallel may come in another order when the run is repeated.
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 20);
const TIMEOUT_MS = Math.max(180_000, RUNS * 5_000);
const CALLERS = ['ada', 'grace', 'alan', 'barbara'] as const;
const MODULES = 4;
const TEMPLATES = 2;
const ACCEPTED = [200, 201, 202, 204, 400, 404, 409];

let galley: Galley;
let callers: Client[];
let workspaceIds: string[];

beforeAll(async () => {
  galley = await startGalley({ environment: { DATABASE_POOL_SIZE: '10' } });
  const { ada, ...others } = await signInUsers(galley, CALLERS);
  callers = [ada, ...Object.values(others)].map(({ client }) => client);
  workspaceIds = [];
  for (let index = 0; index < 2; index++) {
    const { id } = await galley.createWorkspaceFor('ada');
    for (const { id: userId } of Object.values(others)) {
      await ada.client.post(`/api/workspaces/${id}/members`, { userId, role: 'admin' });
    }
    await createResource(ada.client, `/api/workspaces/${id}/environments`, { name: 'staging' });
    workspaceIds.push(id);
  }
});
afterAll(() => galley.stop());

const ofEachCaller = fc.array(commandsOfCaller, {
  minLength: CALLERS.length,
  maxLength: CALLERS.length,
});

it(
  'parallel callers leave what a plain implementation would leave',
  async () => {
    const statuses: number[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(ofEachCaller, { minLength: 1, maxLength: 3 }),
        fc.context(),
        async (phases, context) => {
          const world = new World(galley, workspaceIds);
          const [ada] = callers as [Client];
          for (let index = 0; index < MODULES; index++) await world.create(ada, 'module');
          for (let index = 0; index < TEMPLATES; index++) await world.create(ada, 'template');
          for (const phase of phases) {
            const finished = callers.map(async (client, index) => {
              for (const each of phase[index] ?? []) {
                const received = await world.run(client, each);
                context.log(`${CALLERS[index]}: ${JSON.stringify(each)} gets ${received.join()}`);
                expect(received.filter((status) => !ACCEPTED.includes(status))).toEqual([]);
                statuses.push(...received);
              }
            });
            await Promise.all(finished);
            await world.finishWork();
            await expectConsistent(world, ada);
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    // Otherwise the test would say nothing.
    const successes = statuses.filter((status) => status < 300);
    expect(successes.length).toBeGreaterThan(statuses.length / 2);
  },
  TIMEOUT_MS,
);
