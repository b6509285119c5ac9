import { fieldRule } from './fields.js';

/** A strong ETag, with its quotes (RFC 9110, section 8.8.3). */
export const STRONG_ETAG = /^"[\x21\x23-\x7e]*"$/;

/** The ETag that the resource had when the client read it. */
export const IsEntityTag = () =>
  fieldRule(
    'isEntityTag',
    (value) =>
      typeof value === 'string' && STRONG_ETAG.test(value)
        ? undefined
        : 'must be the ETag of the resource, with its quotes and without W/',
    {
      type: String,
      pattern: STRONG_ETAG.source,
      description:
        'The `ETag` that you have read. If the resource has changed since you read it, Galley applies none of the operations and responds with 412.',
    },
  );
