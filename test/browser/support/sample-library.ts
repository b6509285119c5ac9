import {
  createModule,
  createTemplate,
  deleteModule,
  deleteTemplate,
  labelTemplateVersion,
  updateModule,
  updateTemplate,
} from '#client';
import type { Client } from '../../support/api/client.js';

export interface SampleLibrary {
  /** Refers to the footer. Version 2 has changes of every kind, and a label. */
  letterId: string;
  /** Refers to version 1 of the footer. */
  receiptId: string;
  /** Refers to the address. It has three versions. */
  footerId: string;
  /** The templates use the address through the footer. */
  addressId: string;
}

type Node = Record<string, unknown>;

const text = (id: string, content: string, padding = '10px 25px') => ({
  type: 'text',
  id,
  content,
  props: { padding },
});
const stripe = (id: string, ...blocks: Node[]) => ({
  type: 'stripe',
  id,
  containers: [{ type: 'container', id: `${id}-container`, blocks }],
});
const LONG_TEXT = 'We look forward to cooking for you, every day from noon until midnight. ';

/** Templates and modules that use each other, with versions that differ, and two more in the trash. */
export async function createSampleLibrary(
  { generated: client }: Client,
  workspaceId: string,
): Promise<SampleLibrary> {
  const addModule = async (name: string, content: Node) => {
    const body = { workspaceId, name, category: 'Legal', content };
    return (await createModule({ client, body })).data.id;
  };
  const addTemplate = async (name: string, stripes: Node[]) =>
    (await createTemplate({ client, body: { workspaceId, name, content: { stripes } } })).data.id;

  const addressId = await addModule('Address', { type: 'container', blocks: [text('a1', 'Soho')] });
  const footer = (year: number) => ({
    type: 'stripe',
    containers: [{ type: 'module', moduleId: addressId }],
    text: `Kitchen, ${year}`,
  });
  const footerId = await addModule('Footer', footer(2024));
  const toFooter = { type: 'module', moduleId: footerId };
  const header = stripe('header', text('t1', 'Hello.'));
  const offer = stripe('offer', text('t2', 'Ten percent off.'));
  const closing = stripe('closing', text('t3', 'Goodbye.'));
  const letterId = await addTemplate('Letter', [header, offer, closing, toFooter]);
  const receiptId = await addTemplate('Receipt', [{ ...toFooter, version: 1 }]);
  for (const year of [2025, 2026]) {
    const path = { id: footerId };
    await updateModule({ client, path, body: { name: 'Footer', content: footer(year) } });
  }
  const newHeader = stripe('header', text('t1', 'Hello, and welcome.', '20px 25px'));
  const news = stripe('news', text('t4', 'The new menu is here.'), text('t5', LONG_TEXT.repeat(5)));
  const content = { stripes: [closing, newHeader, news, toFooter] };
  const path = { id: letterId };
  await updateTemplate({ client, path, body: { name: 'Welcome letter', content } });
  const tags = ['2026', 'approved by legal', 'newsletter'];
  await updateTemplate({ client, path, body: { tags } });
  await updateModule({ client, path: { id: footerId }, body: { tags: ['approved by legal'] } });
  const label = { label: 'approved', note: 'Approved by legal. Send it from January.' };
  await labelTemplateVersion({ client, path: { ...path, version: 2 }, body: label });
  const winterId = await addTemplate('Winter menu, with soups and everything that warms', [
    closing,
  ]);
  await deleteTemplate({ client, path: { id: winterId } });
  const imprintId = await addModule('Imprint', footer(2023));
  await deleteModule({ client, path: { id: imprintId } });
  return { letterId, receiptId, footerId, addressId };
}
