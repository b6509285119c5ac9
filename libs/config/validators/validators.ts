import { isAbsolute } from 'node:path';
import { makeExactValidator, makeValidator, str } from 'envalid';
import { secret } from '../secrets/secret.js';
import { parseRedisUrl } from '#redis';
import ipaddr from 'ipaddr.js';

// config.ts shows operators every message that begins with `must`. Such a message must not repeat the value, because
// the value may be a secret.

const SECRETS_KEY_BYTES = 32;

export const secretsKeys = secret(
  makeValidator<Buffer[]>((input) => {
    const keys = input.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
    if (!keys.every(({ length }) => length === SECRETS_KEY_BYTES)) {
      throw new Error(
        `must be keys of ${SECRETS_KEY_BYTES} random bytes in base64, separated by commas`,
      );
    }
    if (new Set(keys.map((key) => key.toString('hex'))).size < keys.length) {
      throw new Error('must not contain the same key twice');
    }
    return keys;
  }),
);

export const flag = makeValidator<boolean>((input) => {
  if (input !== 'true' && input !== 'false') throw new Error('must be true or false');
  return input === 'true';
});

export const positiveInteger = makeExactValidator<number>((input) => {
  if (!/^[1-9]\d{0,5}$/.test(input)) {
    throw new Error('must be a whole number above 0');
  }
  return Number(input);
});

export const integerBetween = (min: number, max: number) =>
  makeExactValidator<number>((input) => {
    if (!/^\d{1,12}$/.test(input) || Number(input) < min || Number(input) > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return Number(input);
  });

export const samplingRatio = makeExactValidator<number>((input) => {
  if (!/^(0?\.\d+|0|1(\.0+)?)$/.test(input)) throw new Error('must be a number from 0 to 1');
  return Number(input);
});

export const port = integerBetween(1, 65_535);
export const requestQuota = integerBetween(0, 999_999_999);
// At most 100 MiB, for two reasons. The memory for bodies is four times the larger of MAX_BODY_BYTES and
// MAX_BATCH_BYTES. And a single string in a body is parsed without a pause: a string of 100 MiB takes about 100 ms,
// during which the API serves no other request.
export const bodyBytes = integerBetween(1024, 100 * 1024 * 1024);
// The maximum is far below the depth that the stacks of PostgreSQL (max_stack_depth) and V8 allow.
export const nestingDepth = integerBetween(1, 500);

// A delivery must not be deleted while Galley may still retry it: the schedule and Retry-After allow up to nine gaps of
// 1.2 days each.
const MIN_RETENTION_DAYS = 11;

export const retentionDays = makeExactValidator<number>((input) => {
  if (!/^\d{1,5}$/.test(input) || Number(input) < MIN_RETENTION_DAYS) {
    throw new Error(`must be a whole number of at least ${MIN_RETENTION_DAYS}`);
  }
  return Number(input);
});

export const cidrRanges = makeValidator<string[]>((input) => {
  const list = input.split(',').map((range) => range.trim());
  if (!list.every((range) => ipaddr.isValidCIDR(range))) {
    throw new Error('must be ranges such as 10.1.0.0/16, separated by commas');
  }
  return list;
});

export const trustedProxies = makeValidator<string[]>((input) => {
  const list = input.split(',').map((proxy) => proxy.trim());
  // If a range covered all IP addresses, every caller could forge its own IP address.
  if (!list.every((proxy) => /^(?!.*\/0+$)/.test(proxy) && isIpAddressOrRange(proxy))) {
    throw new Error(
      'must be addresses or ranges such as 10.0.0.7,10.1.0.0/16, separated by commas',
    );
  }
  return list;
});

const isIpAddressOrRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

export const origins = makeValidator<string[]>((input) => {
  const list = input.split(',').map((origin) => origin.trim());
  // Browsers send an origin in exactly the form of `URL.origin`. An asterisk must be refused separately, because it is
  // valid in the host of a URL.
  if (!list.every((text) => /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text)) {
    throw new Error(
      'must be origins such as https://app.example.com,http://localhost:5173, without a path; * is not allowed',
    );
  }
  return list;
});

export const ports = makeValidator<number[]>((input) => {
  const list = input.split(',').map((text) => text.trim());
  if (!list.every((text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536)) {
    throw new Error('must be ports such as 443,8443');
  }
  return list.map(Number);
});

// fetch() refuses a URL with a password, and its error repeats the URL.
export const issuerUrl = makeValidator((input: string) => {
  const url = /^https?:\/\//.test(input) ? URL.parse(input) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    throw new Error('must be a URL such as https://your-tenant.example.com, without a password');
  }
  return input;
});

export const proxyUrl = secret(
  makeValidator((input: string) => {
    if (!/^https?:\/\//.test(input) || !URL.canParse(input)) {
      throw new Error('must be a URL such as http://proxy:3128');
    }
    return input;
  }),
);

// A shorter secret could be guessed.
const MIN_SECRET_LENGTH = 16;

export const webhookSecrets = secret(
  makeValidator<string[]>((input) => {
    const secrets = input.split(',').map((secret) => secret.trim());
    if (secrets.length > 2 || !secrets.every(({ length }) => length >= MIN_SECRET_LENGTH)) {
      throw new Error(
        `must be one secret of ${MIN_SECRET_LENGTH} or more characters, or two separated by a comma`,
      );
    }
    return secrets;
  }),
);

export const redisUrl = secret(
  makeValidator((input: string) => {
    parseRedisUrl(input);
    return input;
  }),
);

export const secretText = secret(str);

interface SmtpServer {
  host: string;
  port: number;
  isTls: boolean;
  login?: { user: string; password: string };
}

export const smtpUrl = secret(
  makeValidator<SmtpServer>((input) => {
    const url = /^smtps?:\/\//.test(input) ? URL.parse(input) : null;
    if (!url?.hostname || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
      throw new Error('must be a URL such as smtp://user:password@mail.example.com:587');
    }
    if ((url.username === '') !== (url.password === '')) {
      throw new Error('must have both a user name and a password, or neither');
    }
    const isTls = url.protocol === 'smtps:';
    return {
      // The host of a URL has brackets around an IPv6 address.
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      // The ports for submission (RFC 6409 and RFC 8314).
      port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
      isTls,
      ...(url.username !== '' && {
        login: {
          user: decodeURIComponent(url.username),
          password: decodeURIComponent(url.password),
        },
      }),
    };
  }),
);

// The characters that have a meaning in a header, and control characters, would allow further headers or recipients.
const ADDRESS = /^[^\s\p{C}<>"(),:;@\\]+@[^\s\p{C}<>"(),:;@\\]+$/u;
const NAMED_ADDRESS = /^\s*([^<>"\p{C}]*?)\s*<([^<>]+)>\s*$/u;

export const mailAddress = makeValidator<{ name: string; address: string }>((input) => {
  const [, name = '', address = input.trim()] = NAMED_ADDRESS.exec(input) ?? [];
  if (!ADDRESS.test(address)) {
    throw new Error('must be an address such as galley@example.com or Galley <galley@example.com>');
  }
  return { name, address };
});

export const mailRecipients = makeValidator<string[]>((input) => {
  const list = input.split(',').map((recipient) => recipient.trim().toLowerCase());
  if (!list.every((recipient) => ADDRESS.test(recipient) || ADDRESS.test(`x${recipient}`))) {
    throw new Error(
      'must be addresses or domains such as reviews@example.com,@example.org, separated by commas',
    );
  }
  return list;
});

interface Bucket {
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or a path that ends with a slash. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const STORAGE_EXAMPLES =
  'must be an absolute path, or a URL such as s3://key:secret@s3.example.com/bucket/prefix?region=eu-central-1';

export const storageLocation = secret(
  makeValidator<{ folder: string } | Bucket>((input) => {
    const [, withoutTls] = /^s3(\+http)?:\/\//.exec(input) ?? ['', null];
    if (withoutTls === null) {
      if (!isAbsolute(input)) throw new Error(STORAGE_EXAMPLES);
      return { folder: input };
    }
    // Only URLs of HTTP have a host in the sense of the standard.
    const url = URL.parse(input.replace(/^s3(\+http)?/, withoutTls ? 'http' : 'https'));
    const [bucket = '', ...folders] = url?.pathname.split('/').filter(Boolean) ?? [];
    const { region = 'us-east-1', ...others } = Object.fromEntries(url?.searchParams ?? []);
    if (url === null || bucket === '' || url.hash !== '' || Object.keys(others).length > 0) {
      throw new Error(STORAGE_EXAMPLES);
    }
    if ((url.username === '') !== (url.password === '')) {
      throw new Error('must have both a key and a secret, or neither');
    }
    return {
      endpoint: url.origin,
      region,
      bucket,
      prefix: folders.map((folder) => `${folder}/`).join(''),
      credentials:
        url.username === ''
          ? undefined
          : {
              accessKeyId: decodeURIComponent(url.username),
              secretAccessKey: decodeURIComponent(url.password),
            },
    };
  }),
);
