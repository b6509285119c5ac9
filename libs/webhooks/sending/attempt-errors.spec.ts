import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { describeError, findStage } from './attempt-errors.js';
import { Sender } from './sender.js';

interface PemPair {
  private: string;
  cert: string;
}

const createAuthority = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true },
    ],
  });

const issueCertificate = (issuer: PemPair, host: string, notBefore: Date, notAfter: Date) =>
  generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: issuer.private, cert: issuer.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
    notBeforeDate: notBefore,
    notAfterDate: notAfter,
  });

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const inYears = (years: number) => new Date(Date.now() + years * YEAR_MS);

let certificates: Record<string, PemPair>;
let sender: Sender;
const originalAuthorities = getCACertificates();

beforeAll(async () => {
  const [trustedAuthority, untrustedAuthority] = await Promise.all([
    createAuthority('Known'),
    createAuthority('Unknown'),
  ]);
  const [valid, otherName, expired, future, untrusted, selfSigned] = await Promise.all([
    issueCertificate(trustedAuthority, 'localhost', inYears(-1), inYears(1)),
    issueCertificate(trustedAuthority, 'elsewhere.example', inYears(-1), inYears(1)),
    issueCertificate(trustedAuthority, 'localhost', inYears(-2), inYears(-1)),
    issueCertificate(trustedAuthority, 'localhost', inYears(1), inYears(2)),
    issueCertificate(untrustedAuthority, 'localhost', inYears(-1), inYears(1)),
    generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', algorithm: 'sha256' }),
  ]);
  certificates = { valid, otherName, expired, future, untrusted, selfSigned };
  setDefaultCACertificates([trustedAuthority.cert]);
  sender = new Sender({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [] });
});
afterAll(async () => {
  setDefaultCACertificates(originalAuthorities);
  await sender.onApplicationShutdown();
});

const tlsServer =
  (certificate: string, options: TlsOptions = {}) =>
  () => {
    const { private: key, cert } = certificates[certificate] ?? { private: '', cert: '' };
    return createTlsServer({ key, cert, ...options }, (socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  };
const tcpServer = (onData: (socket: Socket) => void) => () =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => onData(socket));
  });

async function listen(start: () => Server) {
  const server = start();
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}

it('reaches a receiver whose certificate is valid', async () => {
  const { port, close } = await listen(tlsServer('valid'));
  const result = await sender.send(`https://localhost:${port}/`, '{}', {});
  close();
  expect(result).toMatchObject({ ok: true, statusCode: 204, error: null });
});

/**
 * Starts a server, sends a notification to it, stops it, and describes the failure. With the protocol `closed:`, the
 * server is stopped before the notification is sent.
 */
async function sendAndDescribeFailure(protocol: string, start: () => Server) {
  const { port, close } = await listen(start);
  if (protocol === 'closed:') close();
  const scheme = protocol === 'closed:' ? 'http:' : protocol;
  const result = await sender.send(`${scheme}//localhost:${port}/?token=secret`, '{}', {});
  if (protocol !== 'closed:') close();
  const { ok, stage, error } = result;
  expect(ok).toBe(false);
  expect(error).not.toMatch(/[\dA-F]{8}|error:|routines|\.c:|--use-system-ca|token/);
  return `${stage ?? ''}: ${error ?? ''}`;
}

const NOT_TLS = 'tls: the receiver does not speak TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER)';
const REFUSED =
  'tls: the receiver refused the TLS handshake: it supports none of the ciphers, or requires a client certificate (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE)';
const CLOSED =
  'first-byte: the receiver closed the connection without a valid response (UND_ERR_SOCKET)';

it.each([
  [
    'an expired certificate',
    tlsServer('expired'),
    'tls: the certificate has expired (CERT_HAS_EXPIRED)',
  ],
  [
    'a certificate that is not valid yet',
    tlsServer('future'),
    'tls: the certificate is not valid yet (CERT_NOT_YET_VALID)',
  ],
  [
    'a self-signed certificate',
    tlsServer('selfSigned'),
    'tls: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [
    'a certificate of an unknown authority',
    tlsServer('untrusted'),
    'tls: the certificate was issued by an authority that is not trusted, or an intermediate certificate is missing (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    'a certificate for another name',
    tlsServer('otherName'),
    'tls: the certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    'TLS 1.1',
    tlsServer('valid', {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
    'tls: the receiver does not support TLS 1.2 or later (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
  ],
  [
    'no cipher in common',
    tlsServer('valid', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
    REFUSED,
  ],
  [
    'a request for a client certificate',
    tlsServer('valid', { maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true }),
    REFUSED,
  ],
  [
    'HTTP instead of TLS',
    tcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    NOT_TLS,
  ],
  [
    'a closed connection instead of a handshake',
    tcpServer((socket) => socket.end()),
    'tls: the connection was closed by the receiver (ECONNRESET)',
  ],
  [
    // A TLS alert (RFC 8446, section 6) with the level fatal (2) and the description unrecognized_name (112).
    'an alert instead of a handshake',
    tcpServer((socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 112]))),
    'tls: the receiver has no certificate for this host name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME)',
  ],
  [
    'an alert without a message of its own',
    tcpServer((socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 80]))),
    'tls: the TLS connection failed (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)',
  ],
])('explains the TLS failure: %s', async (_what, start, expected) => {
  expect(await sendAndDescribeFailure('https:', start)).toBe(expected);
});

it.each([
  [
    'nobody listens',
    'closed:',
    tcpServer(() => undefined),
    'connect: the connection was refused (ECONNREFUSED)',
  ],
  ['the connection is closed', 'http:', tcpServer((socket) => socket.end()), CLOSED],
  [
    'the connection is reset',
    'http:',
    tcpServer((socket) => socket.resetAndDestroy()),
    'first-byte: the connection was closed by the receiver (ECONNRESET)',
  ],
  [
    'another protocol is spoken',
    'http:',
    tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
    'first-byte: the response is not valid HTTP (HTTPParserError)',
  ],
  [
    'a header is broken',
    'http:',
    tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\nbad header\r\n\r\n')),
    'first-byte: the response is not valid HTTP (HTTPParserError)',
  ],
  [
    'the headers are too long',
    'http:',
    tcpServer((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)),
    'first-byte: the headers of the response exceed 16 KiB (UND_ERR_HEADERS_OVERFLOW)',
  ],
])('explains the failure if %s', async (_what, protocol, start, expected) => {
  expect(await sendAndDescribeFailure(protocol, start)).toBe(expected);
});

it("translates OpenSSL's error text if a write fails", () => {
  const text =
    'write EPROTO 405D26E4627F0000:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number 70\n';
  const error = Object.assign(new Error(text), { code: 'EPROTO' });
  expect([findStage(error, 'send'), describeError(error, 'tls')]).toEqual([
    'tls',
    'the receiver does not support TLS 1.2 or later (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
  ]);
});

it('never shows the message of an unknown error', () => {
  expect(describeError(new TypeError('Cannot read properties of undefined'), 'send')).toBe(
    'the request failed (TypeError)',
  );
});
