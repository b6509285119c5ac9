/** The stages of an attempt, in order; a failed attempt names the one in which it failed. */
export const attemptStages = [
  'event',
  'sign',
  'dns',
  'connect',
  'tls',
  'send',
  'first-byte',
  'status',
] as const;
export type Stage = (typeof attemptStages)[number];

/** A failure in the words of the delivery log. */
export class StageError extends Error {
  constructor(
    readonly stage: Stage,
    message: string,
    /** Of the system's error behind it. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** A problem on our side of the connection: the request was not sent, and no receiver is to blame. */
export interface LocalProblem {
  /** In words for the operator, without the host. */
  reason: string;
  /** Whether requests to other receivers fail as well. */
  concernsAll: boolean;
}

/** The operator's name servers or proxy cannot be used. */
export class OperatorError extends StageError {
  constructor(
    stage: Stage,
    readonly reason: string,
    message = reason,
  ) {
    super(stage, message);
  }
}

// Sockets or memory of this machine.
const LOCAL_LIMITS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

const SENTENCES: Record<string, string> = {
  // This machine.
  EMFILE: 'this process may not open more files',
  ENFILE: 'this machine may not open more files',
  ENOBUFS: 'this machine has no memory for more connections',
  ENOMEM: 'this machine has no memory for more connections',

  // Verification of the certificate: Node's names of OpenSSL's X509_V_ERR_*.
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate was issued by an authority that is not trusted, or an intermediate certificate is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate was issued by an authority that is not trusted, or an intermediate certificate is missing',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',

  // The handshake: OpenSSL's reasons.
  ERR_SSL_WRONG_VERSION_NUMBER: 'the receiver does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the receiver does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the receiver does not support TLS 1.2 or later',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the receiver does not support TLS 1.2 or later',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE':
    'the receiver refused the TLS handshake: it supports none of the ciphers, or requires a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the receiver has no certificate for this host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the receiver requires a client certificate',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of the certificate is too short',
  ERR_SSL_DH_KEY_TOO_SMALL: 'the Diffie-Hellman key of the receiver is too short',

  // The connection.
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the receiver',
  EPIPE: 'the connection was closed by the receiver',
  ECONNABORTED: 'the connection was aborted',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not established in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  UND_ERR_SOCKET: 'the receiver closed the connection without a valid response',

  // The response.
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response exceed 16 KiB',

  // A name: the codes of c-ares, and those of the system's resolver.
  ENOTFOUND: 'the name does not exist',
  ENODATA: 'the name has no address',
  EBADNAME: 'the name is not valid',
  ESERVFAIL: 'the name servers failed',
  EREFUSED: 'the name servers refused the query',
  ETIMEOUT: 'the name servers did not answer in time',
  EAI_AGAIN: 'the name servers did not answer in time',

  // The operator's proxy.
  UND_ERR_PRX_CONN: "the operator's proxy closed the connection",
  UND_ERR_PRX_TLS: "the certificate of the operator's proxy is not valid",
};

// A code that is not listed above: what kind of failure it is can still be said.
// undici gives a parser's error no code, and asserts that a status is one.
const isHttp = (code: string) => /^HPE_|^HTTPParserError$|^ERR_ASSERTION$/.test(code);
const isTls = (code: string) => /^ERR_(SSL|TLS|OSSL)|CERT|SIGNATURE/.test(code);

/**
 * Says what went wrong in a sentence for the subscriber, followed by the code to search for.
 * The message of an error that is not Galley's own is never shown: OpenSSL's names memory
 * addresses and source files, and undici's describes undici's own calls.
 */
export function sentenceOf(error: Error, stage: Stage): string {
  if (error instanceof StageError) return error.message;
  const [, proxyStatus] = /^Proxy\b.*\((\d{3})\)/.exec(error.message) ?? [];
  if (proxyStatus !== undefined) return `the operator's proxy responded with ${proxyStatus}`;
  const code = codeOf(error);
  return `${SENTENCES[code] ?? kindOf(code, stage)} (${code})`;
}

export const isLocalLimit = (error: Error): boolean => LOCAL_LIMITS.has(codeOf(error));

export function localProblemOf(error: Error): LocalProblem | undefined {
  if (error instanceof OperatorError) return { reason: error.reason, concernsAll: true };
  // The response to CONNECT, which no receiver can send.
  if (error.message.startsWith('Proxy response (407)')) {
    return { reason: "the operator's proxy refused the credentials (407)", concernsAll: true };
  }
  if (!isLocalLimit(error)) return undefined;
  const code = codeOf(error);
  return { reason: `${SENTENCES[code] ?? ''} (${code})`, concernsAll: false };
}

/** TLS errors count for the `tls` stage, although a proxy's tunnel reports them as errors of the connection. */
export function stageOf(error: Error, stage: Stage): Stage {
  if (error instanceof StageError) return error.stage;
  return isTls(codeOf(error)) ? 'tls' : stage;
}

function kindOf(code: string, stage: Stage): string {
  if (isHttp(code)) return 'the response is not valid HTTP';
  return stage === 'tls' ? 'the TLS connection failed' : 'the request failed';
}

/** If several IP addresses were tried, the error of the first one counts. */
export function codeOf(error: Error): string {
  const { name, message, code } = firstOf(error);
  // A failed write on a TLS connection is EPROTO, whatever the reason. OpenSSL's queue has the reason:
  // address:error:number:library:function:reason:file:line.
  const [, reason] = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? [];
  if (reason !== undefined) return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
  return code ?? name;
}

const firstOf = (error: Error & { errors?: Error[] }): NodeJS.ErrnoException =>
  error.errors?.[0] ?? error;
