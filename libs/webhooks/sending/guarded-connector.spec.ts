import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { decode, encode } from 'dns-packet';
import { Agent, request } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { findLocalProblem } from './attempt-errors.js';
import { buildGuardedConnector } from './guarded-connector.js';

let server: Server;
let port: number;
let connections = 0;
let nameServer: UdpSocket;
let resolver: dns.Resolver;
/** The next answers of the name server, in order. The last one is repeated. */
let answers: string[] = [];
let isIgnoringIpv6Queries = false;
let ipv6Answer = '';

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(204).end());
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;

  nameServer = createSocket('udp4', (message, { port: clientPort, address }) => {
    const { id, questions: [question] = [] } = decode(message);
    if (question === undefined || (question.type === 'AAAA' && isIgnoringIpv6Queries)) return;
    const [data = ''] = answers.length > 1 ? answers.splice(0, 1) : answers;
    const { name } = question;
    const records = [
      { type: 'A' as const, name, ttl: 0, data },
      { type: 'AAAA' as const, name, ttl: 0, data: ipv6Answer },
    ];
    const response = encode({
      type: 'response',
      ...(id !== undefined && { id }),
      questions: [question],
      answers: records.filter(({ type, data }) => type === question.type && data !== ''),
    });
    nameServer.send(response, clientPort, address);
  });
  await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve));
  resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
});
afterEach(() => {
  connections = 0;
  isIgnoringIpv6Queries = false;
  ipv6Answer = '';
});
afterAll(() => {
  nameServer.close();
  server.close();
});

async function post(host: string, allowedRanges: string[]): Promise<number> {
  const agent = new Agent({
    connect: buildGuardedConnector(new AddressPolicy(allowedRanges), resolver),
  });
  try {
    const response = await request(`http://${host}:${port}/`, {
      dispatcher: agent,
      method: 'POST',
    });
    return response.statusCode;
  } finally {
    await agent.close();
  }
}

it('does not wait for a name server that never responds to IPv6 queries', async () => {
  answers = ['127.0.0.1'];
  isIgnoringIpv6Queries = true;
  const startedAt = Date.now();
  expect(await post('receiver.example', ['127.0.0.0/8'])).toBe(204);
  // The resolver's own timeout is 5 s.
  expect(Date.now() - startedAt).toBeLessThan(4_500);
});

it('connects to a name that has only an IPv6 address', async () => {
  answers = [''];
  ipv6Answer = '::ffff:127.0.0.1';
  expect(await post('receiver.example', ['127.0.0.0/8'])).toBe(204);
});

it('connects to the addresses that DNS returns', async () => {
  answers = ['127.0.0.1'];
  expect(await post('receiver.example', ['127.0.0.0/8'])).toBe(204);
  expect(connections).toBe(1);
});

it('connects only to the checked address, even if the name resolves differently a moment later', async () => {
  // This address is reserved for documentation (RFC 5737), and no host responds there. It stands for a public address.
  const policy = ['192.0.2.1/32'];
  answers = ['192.0.2.1', '', '127.0.0.1'];
  await expect(post('rebinding.example', policy)).rejects.toMatchObject({ stage: 'connect' });
  await expect(post('rebinding.example', policy)).rejects.toMatchObject({
    stage: 'dns',
    message: 'rebinding.example is not a public address',
  });
  expect(connections).toBe(0);
}, 20_000);

it('never connects to the refused address of a name that also has an allowed one', async () => {
  let refusedConnections = 0;
  const refusedServer = createServer((_request, response) => response.writeHead(204).end());
  refusedServer.on('connection', () => refusedConnections++);
  await new Promise<void>((resolve) => refusedServer.listen(port, '127.0.0.2', resolve));
  answers = ['127.0.0.2'];
  ipv6Answer = '::ffff:127.0.0.1';
  expect(await post('two-addresses.example', ['127.0.0.1/32'])).toBe(204);
  expect([connections, refusedConnections]).toEqual([1, 0]);
  refusedServer.close();
});

// The sender refuses these addresses before it connects; the connector does not rely on that.
it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '[::1]'])(
  'does not connect to the literal address %s',
  async (host) => {
    await expect(post(host, [])).rejects.toMatchObject({
      stage: 'dns',
      message: expect.stringMatching(/^.+ is not a public address$/),
    });
    expect(connections).toBe(0);
  },
);

it('reports an unknown host name', async () => {
  answers = [''];
  await expect(post('unknown.example', [])).rejects.toMatchObject({
    stage: 'dns',
    message: 'unknown.example could not be resolved: the name has no address (ENODATA)',
  });
});

it('reports a local problem if no name server responds', async () => {
  const unreachableResolver = new dns.Resolver();
  const closedSocket = createSocket('udp4');
  await new Promise<void>((resolve) => closedSocket.bind(0, '127.0.0.1', resolve));
  unreachableResolver.setServers([`127.0.0.1:${closedSocket.address().port}`]);
  await new Promise<void>((resolve) => closedSocket.close(() => resolve()));
  const agent = new Agent({
    connect: buildGuardedConnector(new AddressPolicy([]), unreachableResolver),
  });
  const error = await request('http://receiver.example/', { dispatcher: agent }).catch(
    (cause: unknown) => cause as Error,
  );
  expect(error).toMatchObject({
    stage: 'dns',
    message:
      'receiver.example could not be resolved: no name server could be reached (ECONNREFUSED)',
  });
  expect(findLocalProblem(error as Error)).toEqual({
    reason: 'no name server could be reached (ECONNREFUSED)',
    affectsAllEndpoints: true,
    needsOperator: true,
  });
  await agent.close();
});

it('reports a failed TLS handshake with the stage tls', async () => {
  const agent = new Agent({ connect: buildGuardedConnector(new AddressPolicy(['127.0.0.0/8'])) });
  await expect(
    request(`https://127.0.0.1:${port}/`, { dispatcher: agent, method: 'POST' }),
  ).rejects.toMatchObject({ stage: 'tls' });
  await agent.close();
});
