import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary, matchesEtag } from '../operations/response-headers.js';

// The same quality as for the assets (`build-assets.ts`).
const BROTLI_QUALITY = 9;
const compressors = {
  br: promisify((content: Buffer, done: Done) =>
    brotliCompress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, done),
  ),
  gzip: promisify((content: Buffer, done: Done) => gzip(content, done)),
};
type Done = (error: Error | null, compressed: Buffer) => void;
type Encoding = keyof typeof compressors | 'identity';

// A smaller document fits into one packet without compression.
const MIN_COMPRESSED_BYTES = 1024;

const negotiator = new Negotiator({ supportedValues: ['br', 'gzip', 'identity'] });

/**
 * A document that is the same for all callers and does not change while this process runs. It is compressed once for
 * each encoding, off the event loop, when a client first requests the encoding.
 */
export class StaticDocument {
  private readonly content: Buffer;
  private readonly hash: string;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly mediaType: string,
    text: string,
  ) {
    this.content = Buffer.from(text);
    this.hash = createHash('sha256').update(this.content).digest('base64url').slice(0, 16);
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = this.encodingFor(request);
    // Each encoding has different bytes, and therefore a different strong ETag (RFC 9110, section 8.8.3.3).
    const etag = `"${this.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    void reply.header('etag', etag);
    addVary(reply, 'Accept-Encoding');
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.type(this.mediaType).send(await this.encode(encoding));
  }

  private encodingFor({ headers }: FastifyRequest): Encoding {
    const { 'accept-encoding': accepted } = headers;
    if (accepted === undefined || this.content.length < MIN_COMPRESSED_BYTES) return 'identity';
    return negotiator.negotiate(accepted) ?? 'identity';
  }

  private encode(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') return this.content;
    const known = this.compressed.get(encoding) ?? compressors[encoding](this.content);
    this.compressed.set(encoding, known);
    return known;
  }
}
