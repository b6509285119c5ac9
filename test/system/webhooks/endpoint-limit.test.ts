import { expect } from '@jest/globals';
import { startGalley } from '../../support/galley/galley.js';
import { itRaces } from '../../support/it-races.js';

itRaces(
  'the number of webhooks in a workspace is limited, also for concurrent requests',
  async () => {
    const galley = await startGalley({ environment: { MAX_WEBHOOKS: '5' } });
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const webhook = { workspaceId, url: 'http://127.0.0.1:9/', events: ['template.created'] };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => ada.post<{ message: string }>('/api/webhooks', webhook)),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(5).fill(201), ...Array<number>(15).fill(409)]);
    expect(responses.find(({ status }) => status === 409)?.body.message).toBe(
      'The workspace has 5 webhooks, which is the limit; delete one that you no longer need.',
    );
    const { id: otherWorkspaceId } = await galley.createWorkspaceFor('ada');
    expect(
      (await ada.post('/api/webhooks', { ...webhook, workspaceId: otherWorkspaceId })).status,
    ).toBe(201);
    await galley.stop();
  },
);
