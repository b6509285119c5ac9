import { beforeEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Body {
  findings: { rule: string; severity: string }[];
  counts: object;
  message: string;
  code: string;
  details?: { path: string; message: string }[];
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const settingsPath = () => `/api/workspaces/${workspaceId}/check-settings`;
const change = (settings: object) => ada.put<Body>(settingsPath(), settings);
const createTemplate = (content: object) =>
  createResource(ada, '/api/templates', { name: 'Offers', workspaceId, content });
const publish = (id: string, body: object = {}, client = ada) =>
  client.post<Body>(`/api/templates/${id}/publish`, { version: 1, ...body });

const bad = documentOf({ id: 'b1', ...text('<a href="#">Our offers</a>') });
const good = documentOf(text('Hello'));

describe('the settings', () => {
  it('have no levels at first, and a change keeps what it does not name', async () => {
    const read = async () => {
      const { rules, ...settings } = (await ada.get<{ rules: object[] }>(settingsPath())).body;
      expect(rules).toContainEqual({
        name: 'link-empty',
        severity: 'error',
        help: 'Set `href` to a URL that begins with https://.',
      });
      return settings;
    };
    expect(await read()).toEqual({ levels: {}, errorsBlockPublishing: false });
    await change({ errorsBlockPublishing: true });
    await change({ levels: { 'link-empty': 'info' } });
    expect(await read()).toEqual({ levels: { 'link-empty': 'info' }, errorsBlockPublishing: true });
    expect((await change({ levels: {} })).body).toEqual({
      levels: {},
      errorsBlockPublishing: true,
    });
  });

  it.each([
    [{ 'no-such-rule': 'off' }, 'levels has an unknown rule: no-such-rule'],
    [{ 'link-empty': 'fatal' }, 'levels must set link-empty to one of off, info, warning, error'],
    [['link-empty'], 'levels must be an object whose keys are rules and whose values are levels'],
  ])('%j gets 400', async (levels, message) => {
    const { status, body } = await change({ levels });
    expect([status, body.details?.[0]?.message]).toEqual([400, message]);
  });

  it('are changed only by an admin who has seen the current settings, if the request has If-Match', async () => {
    const etagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? '';
    const changeIf = (etag: string, settings: object) =>
      ada.with({ 'if-match': etag }).put<Body>(settingsPath(), settings);
    const seen = etagOf(await ada.get(settingsPath()));
    const responses = await Promise.all([
      changeIf(seen, { levels: { 'link-empty': 'info' } }),
      changeIf(seen, { levels: { 'heading-missing': 'off' } }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    const current = await ada.get<{ levels: object }>(settingsPath());
    expect(new Set(responses.map(etagOf))).toEqual(new Set([etagOf(current)]));
    expect(current.body.levels).toEqual(
      (responses.find(({ status }) => status === 200)?.body as unknown as { levels: object })
        .levels,
    );
    const revalidated = ada.with({ 'if-none-match': etagOf(current) });
    expect((await revalidated.get(settingsPath())).status).toBe(304);
    expect((await changeIf(`${seen}, ${etagOf(current)}`, { levels: {} })).status).toBe(200);
    expect((await changeIf('*', { errorsBlockPublishing: true })).status).toBe(200);
  });

  it('are changed by admins, and a change is in the audit log', async () => {
    await change({ levels: { 'link-empty': 'off' } });
    const { body } = await ada.get<{ data: { action: string; details: object }[] }>(
      `/api/workspaces/${workspaceId}/audit?action=workspace.checks_changed`,
    );
    expect(body.data).toMatchObject([
      { details: { levels: { 'link-empty': 'off' }, errorsBlockPublishing: false } },
    ]);
  });
});

it('the levels of a workspace hold for its templates, and for documents with its id', async () => {
  const id = await createTemplate(bad);
  await change({
    levels: { 'link-empty': 'info', 'language-missing': 'off', 'heading-missing': 'error' },
  });
  const expected = [
    ['heading-missing', 'error'],
    ['preheader-missing', 'warning'],
    ['unsubscribe-missing', 'warning'],
    ['subject-missing', 'info'],
    ['title-missing', 'info'],
    ['link-empty', 'info'],
  ];
  const levelsOf = ({ findings }: Body) => findings.map(({ rule, severity }) => [rule, severity]);
  const ofTemplate = await ada.post<Body>(`/api/templates/${id}/check`);
  expect(levelsOf(ofTemplate.body)).toEqual(expected);
  expect(ofTemplate.body.counts).toEqual({ error: 1, warning: 2, info: 3 });
  const ofDocument = await ada.post<Body>('/api/check', { content: bad, workspaceId });
  expect(levelsOf(ofDocument.body)).toEqual(expected);
  const eve = await galley.clientFor('eve');
  const { status } = await eve.post('/api/check', { content: bad, workspaceId });
  expect(status).toBe(403);
  expect((await eve.post('/api/render', { content: bad, workspaceId })).status).toBe(403);
  expect((await ada.post('/api/render', { content: bad, workspaceId })).status).toBe(200);
  const unknown = { content: bad, workspaceId: 'c0ffee00-0000-4000-8000-000000000000' };
  expect((await ada.post('/api/render', unknown)).status).toBe(404);
});

describe('publishing', () => {
  it('checks nothing by default', async () => {
    expect((await publish(await createTemplate(bad))).status).toBe(200);
  });

  it('refuses a version with errors, now and later', async () => {
    const id = await createTemplate(bad);
    await change({ errorsBlockPublishing: true });
    for (const at of [undefined, '2099-01-01T00:00:00Z']) {
      const { status, body } = await publish(id, { at });
      expect([status, body.code, body.message, body.details]).toEqual([
        409,
        'checks_failed',
        'The version has 1 error, and the workspace does not publish versions with errors. The link leads nowhere.',
        [
          {
            path: 'content/stripes/0/containers/0/blocks/0',
            message: 'link-empty: The link leads nowhere.',
          },
        ],
      ]);
    }
    await change({ levels: { 'link-empty': 'warning' } });
    expect((await publish(id)).status).toBe(200);
  });

  it('refuses a version that cannot be rendered, and publishes one without errors', async () => {
    await change({ errorsBlockPublishing: true });
    const { status, body } = await publish(await createTemplate({ pages: [] }));
    expect([status, body.message]).toEqual([
      409,
      'The document cannot be rendered: it has no stripes array.',
    ]);
    expect((await publish(await createTemplate(good))).status).toBe(200);
  });

  it('refuses variables that break programs, if their level is an error', async () => {
    const withVariables = (required: string[]) => ({
      ...good,
      variables: { type: 'object', required },
    });
    const id = await createTemplate(withVariables([]));
    expect((await publish(id)).status).toBe(200);
    await ada.put(`/api/templates/${id}`, { content: withVariables(['shop']) });
    await change({ errorsBlockPublishing: true, levels: { 'variables-breaking': 'error' } });
    const { status, body } = await publish(id, { version: 2 });
    expect([status, body.code, body.details?.[0]?.message]).toEqual([
      409,
      'checks_failed',
      'variables-breaking: data/shop is required now.',
    ]);
    await ada.post(`/api/workspaces/${workspaceId}/environments`, { name: 'staging' });
    // Nothing is published in this environment that a program could depend on.
    expect((await publish(id, { version: 2, environment: 'staging' })).status).toBe(200);
  });

  it('checks nothing if the version is published already', async () => {
    const id = await createTemplate(bad);
    const first = await publish(id);
    await change({ errorsBlockPublishing: true });
    const second = await publish(id);
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  it('says nothing of errors to callers who may not publish', async () => {
    const id = await createTemplate(bad);
    await change({ errorsBlockPublishing: true });
    const eve = await galley.clientFor('eve');
    expect((await publish(id, {}, eve)).status).toBe(403);
    expect((await publish(id, { version: 9 })).status).toBe(404);
  });

  it('replays the response to a repeated request, whatever the settings are by now', async () => {
    const id = await createTemplate(bad);
    const send = () => publish(id, {}, ada.with({ 'idempotency-key': id }));
    const first = await send();
    await change({ errorsBlockPublishing: true });
    const second = await send();
    expect([second.status, second.text]).toEqual([200, first.text]);
  });
});
