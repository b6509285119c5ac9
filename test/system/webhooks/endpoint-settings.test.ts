import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe, verify, verifyServiceSignature } from '../../support/webhooks/subscriptions.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

useSubscribedWorkspace(['template.created']);

const endpointPath = (suffix = '') => `/api/webhooks/${endpoint.id}${suffix}`;
const createTemplate = () =>
  ada.post('/api/templates', { name: 'Changed', workspaceId: workspace.id });

describe('a pattern of events', () => {
  const receivedKinds = ({ received }: Receiver) =>
    received.map(({ body }) => (JSON.parse(body) as { event: string }).event).toSorted();
  const addEvent = (kind: string) =>
    galley.database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 1, '{}')`,
      [kind, workspace.id],
    );

  it('matches all kinds with its prefix, including kinds that are added later', async () => {
    const receivers = await Promise.all(Array.from({ length: 4 }, () => Receiver.start()));
    const [allReceiver, templateReceiver, moduleReceiver, mixedReceiver] = receivers as [
      Receiver,
      Receiver,
      Receiver,
      Receiver,
    ];
    const allEventsEndpoint = await subscribe(ada, workspace.id, allReceiver, ['*']);
    await subscribe(ada, workspace.id, templateReceiver, ['template.*']);
    await subscribe(ada, workspace.id, moduleReceiver, ['module.*', 'module.created']);
    await subscribe(ada, workspace.id, mixedReceiver, ['webhook.*', 'template.deleted']);
    expect(allEventsEndpoint.events).toEqual(['*']);
    const kinds = ['template.created', 'template.published', 'module.created', 'webhook.active'];
    for (const kind of [...kinds, 'templates.odd', 'template.deleted']) await addEvent(kind);
    await ada.post(endpointPath('/test'));
    const expected = [...kinds, 'template.deleted', 'templates.odd'].toSorted();
    await eventually('all to arrive', () => allReceiver.received.length >= expected.length);
    await eventually('the test', () => receiver.received.length === 2);
    await eventually(
      'the others',
      () => templateReceiver.received.length + mixedReceiver.received.length === 5,
    );
    expect(receivedKinds(allReceiver)).toEqual(expected);
    expect(receivedKinds(templateReceiver)).toEqual([
      'template.created',
      'template.deleted',
      'template.published',
    ]);
    expect(receivedKinds(moduleReceiver)).toEqual(['module.created']);
    expect(receivedKinds(mixedReceiver)).toEqual(['template.deleted', 'webhook.active']);
    expect(receivedKinds(receiver)).toEqual(['template.created', 'webhook.test']);

    const replayFilter = { since: '2026-01-01T00:00:00Z', events: ['template.*'], dryRun: true };
    await eventually('all attempts to be recorded', async () => {
      const replay = await ada.post(`/api/webhooks/${allEventsEndpoint.id}/replays`, replayFilter);
      return (replay.body as { count: number }).count === 3;
    });
    await Promise.all(receivers.map((each) => each.stop()));
  });

  it('is returned as it was given, and must match a known kind', async () => {
    const { body } = await ada.put<{ events: string[] }>(endpointPath(), {
      events: ['module.*', '*'],
    });
    expect(body.events).toEqual(['module.*', '*']);
    for (const events of [['**'], ['template*'], ['*.created'], ['templ.*'], ['*', '*'], ['']]) {
      expect((await ada.put(endpointPath(), { events })).status).toBe(400);
    }
  });
});

describe('a signing secret', () => {
  it('is rotated with an overlap, in which both secrets sign', async () => {
    const revealSecret = async () =>
      (await ada.get<{ secret: string }>(endpointPath('/secret'))).body.secret;
    expect(await revealSecret()).toBe(endpoint.secret);
    const { body } = await ada.post<{ secret: string }>(endpointPath('/secret/rotate'), {
      overlapHours: 1,
    });
    expect(await revealSecret()).toBe(body.secret);
    const [overlap] = await galley.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM (earlier_secrets -> 0 ->> 'until')::timestamptz - now())::float8 AS seconds
       FROM webhook_endpoints WHERE id = $1`,
      [endpoint.id],
    );
    expect(Math.abs((overlap?.seconds ?? 0) - 3_600)).toBeLessThan(120);
    await createTemplate();
    const [signedByBoth] = await eventually(
      'it',
      () => receiver.received.length === 1 && receiver.received,
    );
    if (signedByBoth === undefined) throw new Error('unreachable');
    for (const secret of [endpoint.secret, body.secret]) verify(secret, signedByBoth);
    expect(signedByBoth.headers['x-service-signature']).toMatch(/,v1=[\da-f]{64},v1=[\da-f]{64}$/);

    await ada.post(endpointPath('/secret/rotate'), { overlapHours: 0 });
    await galley.database.query(
      `UPDATE webhook_endpoints SET earlier_secrets =
         json_build_array(json_build_object('encrypted', encrypted_secret, 'until', now()))
       WHERE id = $1`,
      [endpoint.id],
    );
    await createTemplate();
    const [, lastNotification] = await eventually(
      'the next notification',
      () => receiver.received.length === 2 && receiver.received,
    );
    if (lastNotification === undefined) throw new Error('unreachable');
    expect(() => verify(body.secret, lastNotification)).toThrow();
    expect(verifyServiceSignature(await revealSecret(), lastNotification)).toBe(true);
  });

  it('is not rotated if too many secrets would sign; without an overlap all earlier secrets end', async () => {
    const rotate = (overlapHours: number) =>
      ada.post<{ message: string }>(endpointPath('/secret/rotate'), { overlapHours });
    for (let rotation = 0; rotation < 4; rotation++) expect((await rotate(1)).status).toBe(200);
    const refused = await rotate(1);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('overlapHours to 0'),
    ]);
    // A secret that stopped signing a minute ago does not count, and is forgotten.
    const setEnd = (index: number, end: string) =>
      galley.database.query(
        `UPDATE webhook_endpoints SET earlier_secrets = jsonb_set(earlier_secrets::jsonb,
           ARRAY[$2, 'until'], to_jsonb(now() + $3::interval)) WHERE id = $1`,
        [endpoint.id, String(index), end],
      );
    await setEnd(0, '1 minute');
    expect((await rotate(1)).status).toBe(409);
    await setEnd(0, '-1 minute');
    await setEnd(1, '1 minute');
    expect((await rotate(1)).status).toBe(200);
    const [earlier] = await galley.database.query<{ count: number }>(
      `SELECT json_array_length(earlier_secrets::json) AS count FROM webhook_endpoints WHERE id = $1`,
      [endpoint.id],
    );
    expect(earlier?.count).toBe(4);
    expect((await rotate(0)).status).toBe(200);
    await createTemplate();
    const [notification] = await eventually(
      'it',
      () => receiver.received.length === 1 && receiver.received,
    );
    expect(notification?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});

describe('custom headers', () => {
  it('are sent with each notification, and never shown', async () => {
    const headers = { Authorization: 'Bearer sesame', 'X-Team': 'post' };
    const { body } = await ada.put(endpointPath(), { headers });
    expect(body).toMatchObject({ headers: { Authorization: '********', 'X-Team': '********' } });
    // A client may send back the body that it has read.
    expect((await ada.put(endpointPath(), body as object)).body).toEqual(body);
    await createTemplate();
    const [notification] = await eventually(
      'it',
      () => receiver.received.length > 0 && receiver.received,
    );
    expect(notification?.headers).toMatchObject({
      authorization: 'Bearer sesame',
      'x-team': 'post',
    });
    const rows = await galley.database.query<{ text: string }>(
      `SELECT endpoint::text || coalesce((SELECT string_agg(a::text, '') FROM webhook_attempts a), '')
         AS text FROM webhook_endpoints endpoint WHERE id = $1`,
      [endpoint.id],
    );
    expect(rows[0]?.text).not.toContain('sesame');
  });

  it('are not sent to another host until all values are set again', async () => {
    await ada.put(endpointPath(), { headers: { Authorization: 'Bearer sesame' } });
    const url = 'http://127.0.0.1:9/';
    for (const update of [{ url }, { url, headers: { Authorization: '********' } }]) {
      const response = await ada.put<{ message: string }>(endpointPath(), update);
      expect([response.status, response.body.message]).toEqual([
        400,
        expect.stringContaining('headers must be sent again with their values'),
      ]);
    }
    expect((await ada.put(endpointPath(), { url: `${receiver.url}/b` })).status).toBe(200);
    expect((await ada.put(endpointPath(), { url, headers: { Authorization: 'x' } })).status).toBe(
      200,
    );
  });

  it('that cannot be decrypted leave everything else readable and writable', async () => {
    await ada.put(endpointPath(), { headers: { 'X-Team': 'post' } });
    // The trigger refuses values of a key that is not known.
    await galley.database.query('ALTER TABLE webhook_endpoints DISABLE TRIGGER USER');
    await galley.database.query(
      `UPDATE webhook_endpoints SET encrypted_headers = overlay(encrypted_headers PLACING '00000000' FROM 1)
       WHERE id = $1`,
      [endpoint.id],
    );
    await galley.database.query('ALTER TABLE webhook_endpoints ENABLE TRIGGER USER');
    expect(await ada.get(endpointPath())).toMatchObject({ status: 200, body: { headers: {} } });
    const endpointWithHeaders = `webhook_endpoints WHERE id = '${endpoint.id}' AND encrypted_headers IS NOT NULL`;
    await ada.put(endpointPath(), { headers: {}, description: 'Put back as it was read' });
    expect(await galley.database.count(endpointWithHeaders)).toBe(1);
    // Galley cannot decrypt the values of these headers now. It deletes them, because it must not send them
    // to another host when the key is available again.
    await ada.put(endpointPath(), { url: 'http://127.0.0.1:9/', headers: {} });
    expect(await galley.database.count(endpointWithHeaders)).toBe(0);
    const { body } = await ada.put(endpointPath(), { headers: { 'X-Team': 'letters' } });
    expect(body).toMatchObject({ headers: { 'X-Team': '********' } });
  });

  it.each([
    [{ Host: 'elsewhere' }, 'must not set Host'],
    [{ 'Webhook-Signature': 'v1,x' }, 'must not set Webhook-Signature'],
    [{ 'X-Service-Signature': 't=1' }, 'must not set X-Service-Signature'],
    [{ 'Content-Length': '1' }, 'must not set Content-Length'],
    [{ 'X A': 'b' }, 'must not contain a header named "X A"'],
    [{ 'X-A': 'b\r\nHost: c' }, 'must give X-A a value'],
    [{ 'X-A': '********' }, 'must give X-A a value'],
    [{ 'X-A': 'b', 'x-a': 'c' }, 'must not contain a header twice'],
    [['X-A'], 'must be an object'],
  ])('may not be %j', async (headers, expectedMessage) => {
    const response = await ada.put<{ message: string }>(endpointPath(), { headers });
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(expectedMessage);
  });
});

describe('a filter by resource', () => {
  it('passes only the events of these resources', async () => {
    const includedModule = await ada.post<{ id: string }>('/api/modules', {
      name: 'Footer',
      workspaceId: workspace.id,
      content: {},
    });
    const events = ['module.updated'];
    await ada.put(endpointPath(), { events, resourceIds: [includedModule.body.id] });
    const excludedModule = await ada.post<{ id: string }>('/api/modules', {
      name: 'Header',
      workspaceId: workspace.id,
      content: {},
    });
    await ada.put(`/api/modules/${excludedModule.body.id}`, { name: 'Top' });
    await ada.put(`/api/modules/${includedModule.body.id}`, { name: 'Bottom' });
    await eventually('the event', () => receiver.received.length === 1);
    expect(receiver.received[0]?.body).toContain('Bottom');
  });

  it('has each id once, in whatever spelling', async () => {
    const { id } = workspace;
    const response = await ada.put<{ message: string }>(endpointPath(), {
      resourceIds: [id, id.toUpperCase()],
    });
    expect(response.status).toBe(400);
    expect(response.body.message).toContain('must not contain an id twice');
  });
});
