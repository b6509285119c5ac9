import { readFileSync } from 'node:fs';
import { createTemplate } from '#client';
import { createSampleLibrary, type SampleLibrary } from './sample-library.js';
import { createSamplePublications } from './sample-publications.js';
import { createSampleWorkspace, type SampleWorkspace } from './sample-workspace.js';
import { clientFor } from './stack.js';

export type Sample = SampleWorkspace & SampleLibrary & { previewId: string };

/** A workspace of this user in which every view has something to show. */
export async function createSample(email: string): Promise<Sample> {
  const workspace = await createSampleWorkspace(email);
  const api = await clientFor(email);
  const library = await createSampleLibrary(api, workspace.workspaceId);
  await createSamplePublications(api, workspace.workspaceId, library.letterId);
  const receipt = JSON.parse(readFileSync('apps/settings/samples/receipt.json', 'utf8')) as {
    content: object;
    data: object;
  };
  const { data: preview } = await createTemplate({
    client: api.generated,
    body: {
      workspaceId: workspace.workspaceId,
      name: 'Receipt',
      content: { ...receipt.content, sampleData: receipt.data },
    },
  });
  return { ...workspace, ...library, previewId: preview.id };
}
