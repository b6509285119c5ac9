import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AssetPurge } from '#assets';
import sharp from 'sharp';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { pictureForm, randomPicture } from '../../support/pictures.js';

interface Picture {
  id: string;
  url: string;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ pictures: true });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

const urlOf = ({ url }: Picture) => url.replace('https://galley.example.com', galley.url);

async function upload(file = randomPicture(), workspace = workspaceId): Promise<Picture> {
  const path = `/api/assets?workspaceId=${workspace}`;
  return (await ada.raw<Picture>('POST', path, pictureForm({ name: 'Logo' }, file))).body;
}

describe('a public picture', () => {
  it('has the headers of a file that anybody may keep, and nobody may run', async () => {
    const file = randomPicture();
    const picture = await upload(file);
    const { status, headers } = await fetch(urlOf(picture));
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(file.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': `default-src 'none'; sandbox`,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('set-cookie')).toBeNull();
    const etag = headers.get('etag') ?? '';
    const kept = await fetch(urlOf(picture), { headers: { 'if-none-match': etag } });
    expect([kept.status, await kept.text()]).toEqual([304, '']);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const head = await fetch(urlOf(picture), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
  });

  it('has smaller copies of fixed widths', async () => {
    const picture = await upload(randomPicture(700, 350));
    const sizes = await Promise.all(
      ['160', '160', '320', '640', '1200'].map(async (width) => {
        const response = await fetch(`${urlOf(picture)}?width=${width}`);
        const file = Buffer.from(await response.arrayBuffer());
        expect(response.headers.get('content-length')).toBe(String(file.length));
        const metadata = await sharp(file).metadata();
        return [metadata.width, metadata.height];
      }),
    );
    // A copy is never larger than its original.
    expect(sizes).toEqual([
      [160, 80],
      [160, 80],
      [320, 160],
      [640, 320],
      [700, 350],
    ]);
    for (const width of ['161', '0', '-160', 'x', '', '160&width=320']) {
      const { status } = await fetch(`${urlOf(picture)}?width=${width}`);
      expect([width, status]).toEqual([width, 400]);
    }
  });

  it('keeps its animation in a smaller copy', async () => {
    const animation = await sharp(Buffer.alloc(400 * 400 * 3, 90), {
      raw: { width: 400, height: 400, channels: 3, pageHeight: 200 },
    })
      .composite([
        {
          input: { create: { width: 10, height: 10, channels: 3, background: 'red' } },
          top: 210,
          left: 5,
        },
      ])
      .gif()
      .toBuffer();
    const picture = await upload(Buffer.from(animation));
    const response = await fetch(`${urlOf(picture)}?width=160`);
    const { pages, width, pageHeight } = await sharp(Buffer.from(await response.arrayBuffer()), {
      animated: true,
    }).metadata();
    expect({ pages, width, pageHeight }).toEqual({ pages: 2, width: 160, pageHeight: 80 });
  });

  it('is found only by its digest and its name', async () => {
    const { pathname } = new URL((await upload()).url);
    const [, , digest = ''] = pathname.split('/');
    const paths = [
      pathname.replace('logo', 'other'),
      pathname.replace('.png', '.jpg'),
      pathname.replace(digest, digest.toUpperCase()),
      pathname.replace(digest, '0'.repeat(64)),
      pathname.replace(digest, '..%2f..'),
      `/assets/${digest}`,
      `/assets/${digest}/`,
      '/assets/',
    ];
    for (const path of paths) {
      const { status, headers } = await fetch(galley.url + path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get('cache-control')).not.toContain('immutable');
    }
  });

  it('has another URL in another workspace, whose deletion takes nothing away', async () => {
    const file = randomPicture();
    const other = (await galley.createWorkspaceFor('ada')).id;
    const [own, foreign] = [await upload(file), await upload(file, other)];
    expect(own.url).not.toBe(foreign.url);
    await ada.delete(`/api/workspaces/${other}?force=true`);
    await purgeAll();
    expect((await fetch(urlOf(own))).status).toBe(200);
    expect((await fetch(urlOf(foreign))).status).toBe(404);
  });
});

const purge = () => galley.api.get(AssetPurge, { strict: false });

async function purgeAll(): Promise<void> {
  while (await purge().step());
}

/** Lets 31 days pass for everything that waits for the purge. */
async function passTrashDays(): Promise<void> {
  await galley.database.query(`UPDATE assets SET expires_at = expires_at - interval '31 days'`);
  await galley.database.query(
    `UPDATE asset_contents SET purge_after = purge_after - interval '31 days'`,
  );
  await galley.database.query(
    `UPDATE asset_files_to_delete SET delete_after = delete_after - interval '1 day'`,
  );
}

/** The status of the URL without the minute for which the API remembers which file it shows. */
async function statusOf(picture: Picture): Promise<number> {
  const digest = new URL(picture.url).pathname.split('/')[2];
  const [row] = await galley.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM asset_contents WHERE hash = $1',
    [digest],
  );
  return row?.count === 1 ? (await fetch(urlOf(picture))).status : 404;
}

describe('the purge', () => {
  it('deletes a deleted picture with its copies, after the time in the trash', async () => {
    const picture = await upload(randomPicture(200));
    await fetch(`${urlOf(picture)}?width=160`);
    await ada.delete(`/api/assets/${picture.id}`);
    await purgeAll();
    expect((await fetch(urlOf(picture))).status).toBe(200);
    await passTrashDays();
    await purgeAll();
    expect(await statusOf(picture)).toBe(404);
    expect((await fetch(urlOf(picture))).status).toBe(404);
    expect((await fetch(`${urlOf(picture)}?width=160`)).status).toBe(404);
    expect((await ada.post(`/api/assets/${picture.id}/restore`)).status).toBe(404);
  });

  it('deletes a replaced picture, and keeps the one that replaced it', async () => {
    const before = await upload();
    const { body: after } = await ada.raw<Picture>(
      'PUT',
      `/api/assets/${before.id}/content`,
      pictureForm(),
    );
    await passTrashDays();
    await purgeAll();
    expect([await statusOf(before), await statusOf(after)]).toEqual([404, 200]);
  });

  it('keeps a picture for as long as a published version needs it', async () => {
    const picture = await upload();
    const id = await createResource(ada, '/api/templates', {
      name: 'A',
      workspaceId,
      content: { stripes: [{ note: picture.url }] },
    });
    await ada.post(`/api/templates/${id}/publish`, { version: 1 });
    await ada.put(`/api/templates/${id}`, { content: {} });
    await ada.delete(`/api/assets/${picture.id}`);
    await passTrashDays();
    await purgeAll();
    expect(await statusOf(picture)).toBe(200);
    await ada.post(`/api/templates/${id}/unpublish`, {});
    await passTrashDays();
    await purgeAll();
    expect(await statusOf(picture)).toBe(404);
  });

  it('of a picture that is uploaded again keeps the new one', async () => {
    const file = randomPicture();
    const first = await upload(file);
    await ada.delete(`/api/assets/${first.id}`);
    await passTrashDays();
    await purge().step();
    const second = await upload(file);
    await passTrashDays();
    await purgeAll();
    expect(second.url).toBe(first.url);
    expect(await statusOf(second)).toBe(200);
    const response = await fetch(urlOf(second));
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  });

  it('deletes the file of an upload that did not finish', async () => {
    const key = `${workspaceId}/${workspaceId}`;
    await galley.database.query(
      `INSERT INTO asset_files_to_delete (storage_key, delete_after) VALUES ($1, now() + interval '1 hour')`,
      [key],
    );
    await purgeAll();
    const count = `SELECT count(*)::integer AS count FROM asset_files_to_delete WHERE storage_key = $1`;
    expect(await galley.database.query(count, [key])).toEqual([{ count: 1 }]);
    await passTrashDays();
    await purgeAll();
    expect(await galley.database.query(count, [key])).toEqual([{ count: 0 }]);
  });
});
