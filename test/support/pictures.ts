import { randomBytes } from 'node:crypto';
import { PNG } from 'pngjs';
import { expect } from '@jest/globals';
import type { Client } from './api/client.js';

/** A small PNG that no other call has returned. */
export function randomPicture(width = 8, height = width): Buffer<ArrayBuffer> {
  const png = new PNG({ width, height });
  randomBytes(width * height * 4).copy(png.data);
  return Buffer.from(PNG.sync.write(png));
}

/** The form of an upload. */
export function pictureForm(
  fields: Record<string, string> = {},
  file: Buffer<ArrayBuffer> = randomPicture(),
  fileName = 'picture.png',
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), fileName);
  return form;
}

/** Uploads a picture and returns its id. */
export async function uploadPicture(client: Client, workspaceId: string): Promise<string> {
  const path = `/api/assets?workspaceId=${workspaceId}`;
  const { status, text, body } = await client.raw<{ id: string }>('POST', path, pictureForm());
  expect([text, status]).toEqual([text, 201]);
  return body.id;
}
