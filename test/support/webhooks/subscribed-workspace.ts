import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { CreatedWebhook, Workspace } from '#client';
import type { EventPattern } from '#events';
import type { Client } from '../api/client.js';
import { startGalley, type Galley } from '../galley/galley.js';
import { Receiver } from './receiver.js';
import { subscribe } from './subscriptions.js';

// The hooks below set these variables. Test files read them only in hooks and tests.
export let galley: Galley;
export let ada: Client;
export let workspace: Workspace;
export let receiver: Receiver;
export let endpoint: CreatedWebhook;

/**
 * Starts a Galley with a worker for the test file. Before each test, creates a workspace for Ada with one
 * endpoint, whose receiver responds with 204.
 */
export function useSubscribedWorkspace(events?: EventPattern[]): void {
  beforeAll(async () => {
    galley = await startGalley({ worker: true });
    ada = await galley.clientFor('ada');
  });
  afterAll(() => galley.stop());

  beforeEach(async () => {
    workspace = await galley.createWorkspaceFor('ada');
    receiver = await Receiver.start();
    endpoint = await subscribe(ada, workspace.id, receiver, events);
  });
  afterEach(() => receiver.stop());
}
