/** The stages of an attempt, in order. A failed attempt is logged with the stage in which it failed. */
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
export type AttemptStage = (typeof attemptStages)[number];

/** A failure in one stage of an attempt. The delivery log shows the message of the error. */
export class StageError extends Error {
  constructor(
    readonly stage: AttemptStage,
    message: string,
    /** The code of the system error that caused the failure. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/**
 * A problem on Galley's side of the connection: the request was not sent, and the receiver is not to blame.
 */
export interface LocalProblem {
  /** A description for the operator, without the host. */
  reason: string;
  /**
   * Whether requests to other receivers fail as well. If so, the window of the endpoint is reset to 1, which limits how
   * many attempts fail.
   */
  affectsAllEndpoints: boolean;
  /** Whether only the operator can fix the problem. If so, the delivery waits longer for its next attempt. */
  needsOperator: boolean;
}

/** A failure that the operator must fix: the name servers or the proxy cannot be used. */
export class OperatorError extends StageError {
  constructor(
    stage: AttemptStage,
    readonly reason: string,
    message = reason,
  ) {
    super(stage, message);
  }
}

// These codes mean that this process or this machine has run out of file descriptors, sockets or memory.
const LOCAL_LIMIT_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

const MESSAGES: Record<string, string> = {
  // Resource limits of this process and this machine.
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENOBUFS: 'this machine has no memory for more connections',
  ENOMEM: 'this machine has no memory for more connections',

  // Certificate verification: Node's names for OpenSSL's X509_V_ERR_*.
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

  // The TLS handshake: OpenSSL's reason strings.
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

  // Connection errors.
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the receiver',
  EPIPE: 'the connection was closed by the receiver',
  ECONNABORTED: 'the connection was aborted',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not established in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  UND_ERR_SOCKET: 'the receiver closed the connection without a valid response',

  // Errors in the response.
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response exceed 16 KiB',

  // Name resolution: the error codes of c-ares and of the system resolver.
  ENOTFOUND: 'the name does not exist',
  ENODATA: 'the name has no address',
  EBADNAME: 'the name is not valid',
  ESERVFAIL: 'the name servers failed',
  EREFUSED: 'the name servers refused the query',
  ETIMEOUT: 'the name servers did not respond in time',
  EAI_AGAIN: 'the name servers did not respond in time',

  // Errors of the operator's proxy.
  UND_ERR_PRX_CONN: "the operator's proxy closed the connection",
  UND_ERR_PRX_TLS: "the certificate of the operator's proxy is not valid",
};

// These functions recognise codes that are not listed above. Errors of undici's HTTP parser may have no code, and are
// recognised by their name. undici reports an invalid status code as a failed assertion.
const isHttpCode = (code: string) => /^HPE_|^HTTPParserError$|^ERR_ASSERTION$/.test(code);
const isTlsCode = (code: string) => /^ERR_(SSL|TLS|OSSL)|CERT|SIGNATURE/.test(code);

/**
 * Describes an error in plain words for the subscriber, followed by the error code to search for. Messages of libraries
 * are never shown: OpenSSL's messages contain memory addresses and source file names, and undici's messages describe
 * its own calls.
 */
export function describeError(error: Error, stage: AttemptStage): string {
  if (error instanceof StageError) return error.message;
  const [, proxyStatus] = /^Proxy\b.*\((\d{3})\)/.exec(error.message) ?? [];
  if (proxyStatus !== undefined) return `the operator's proxy responded with ${proxyStatus}`;
  const code = findCode(error);
  return `${MESSAGES[code] ?? describeUnknown(code, stage)} (${code})`;
}

export const isLocalLimit = (error: Error): boolean => LOCAL_LIMIT_CODES.has(findCode(error));

export function findLocalProblem(error: Error): LocalProblem | undefined {
  if (error instanceof OperatorError) {
    return { reason: error.reason, affectsAllEndpoints: true, needsOperator: true };
  }
  // Only a proxy responds to a CONNECT request, so this message never quotes a receiver.
  if (error.message.startsWith('Proxy response (407)')) {
    return {
      reason: "the operator's proxy refused the credentials (407)",
      affectsAllEndpoints: true,
      needsOperator: true,
    };
  }
  if (!isLocalLimit(error)) return undefined;
  const code = findCode(error);
  return {
    reason: `${MESSAGES[code] ?? ''} (${code})`,
    affectsAllEndpoints: false,
    needsOperator: false,
  };
}

/**
 * Returns the stage in which the attempt failed. TLS errors always belong to the `tls` stage, although a proxy tunnel
 * reports them as connection errors.
 */
export function findStage(error: Error, stage: AttemptStage): AttemptStage {
  if (error instanceof StageError) return error.stage;
  return isTlsCode(findCode(error)) ? 'tls' : stage;
}

function describeUnknown(code: string, stage: AttemptStage): string {
  if (isHttpCode(code)) return 'the response is not valid HTTP';
  return stage === 'tls' ? 'the TLS connection failed' : 'the request failed';
}

/**
 * Returns the error code, or the name of an error that has no code. If several IP addresses were tried, uses the error
 * of the first address.
 */
export function findCode(error: Error): string {
  const { name, message, code } = firstError(error);
  // A failed write on a TLS connection always has the code EPROTO. The actual reason is in the message, which quotes
  // OpenSSL's error queue: address:error:number:library:function:reason:file:line.
  const [, reason] = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? [];
  if (reason !== undefined) return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
  return code ?? name;
}

const firstError = (error: Error & { errors?: Error[] }): NodeJS.ErrnoException =>
  error.errors?.[0] ?? error;
