import {
  addMember,
  createKey,
  createModule,
  createTemplate,
  createWebhook,
  createWorkspace,
  listDeliveries,
  updateTemplate,
} from '#client';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { clientFor } from './stack.js';

const LONG_NAME = 'Welcome to the kitchen, where a name may be as long as two hundred characters, ';

export interface SampleWorkspace {
  workspaceId: string;
  webhookId: string;
  failedDeliveryId: string;
  templateId: string;
  moduleId: string;
}

/** A workspace with resources of every kind, long names, a receiver that fails, and several people. */
export async function createSampleWorkspace(owner: string): Promise<SampleWorkspace> {
  const { generated: client } = await clientFor(owner);
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  const workspaceId = workspace.id;
  const path = { id: workspaceId };
  const receiver = await Receiver.start();
  const events = ['*' as const];
  const description = 'Campaign tool, production';
  const body = { workspaceId, url: receiver.url, events, description };
  const { data: webhook } = await createWebhook({ client, body });
  const url = `https://example.com/${'a-long-path/'.repeat(12)}`;
  await createWebhook({ client, body: { workspaceId, url, events: ['template.created'] } });
  const content = { subject: 'Welcome', blocks: [{ type: 'text', text: 'Hello.' }] };
  const template = { workspaceId, name: LONG_NAME.repeat(2), content };
  const { data: created } = await createTemplate({ client, body: template });
  for (const name of ['Receipt', 'Password reset', 'Newsletter']) {
    await createTemplate({ client, body: { workspaceId, name, content } });
  }
  const module = {
    workspaceId,
    name: 'Footer',
    category: 'Legal',
    description: 'Address and unsubscribe link',
    content,
  };
  const { data: footer } = await createModule({ client, body: module });
  for (const email of ['viewer@example.com', 'somebody.with.a.long.address@mail.example.com']) {
    await addMember({ client, path, body: { email, role: 'viewer' } });
  }
  await createKey({ client, path, body: { name: 'Campaign tool', role: 'editor' } });

  receiver.reaction = () => ({ status: 500, headers: { 'content-type': 'text/plain' } });
  await updateTemplate({ client, path: { id: created.id }, body: { name: 'Welcome', content } });
  const failed = await eventually('a failed attempt', async () => {
    const { data } = await listDeliveries({ client, path: { id: webhook.id } });
    return data.data.find(({ lastAttempt }) => lastAttempt?.statusCode === 500);
  });
  await receiver.stop();
  return {
    workspaceId,
    webhookId: webhook.id,
    failedDeliveryId: failed.id,
    templateId: created.id,
    moduleId: footer.id,
  };
}
