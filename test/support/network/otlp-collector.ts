import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, string | number>;
  /** The trace ids of the links. */
  links: string[];
  /** 0 unset, 2 error. */
  status: number;
}

/** An OpenTelemetry collector: a real HTTP server that decodes the spans it receives. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  readonly requests: { url: string | undefined; headers: IncomingHttpHeaders; body: Buffer }[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const { url, headers } = request;
        collector.requests.push({ url, headers, body });
        collector.spans.push(...decodeExport(body));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new OtlpCollector(server, `http://127.0.0.1:${port}`);
    return collector;
  }

  /** All that the collector has received, as text. */
  get text(): string {
    return this.requests.map(({ body }) => body.toString('latin1')).join('\n');
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** The values of each field of a protobuf message, by the number of the field. */
type Message = Map<number, (bigint | Buffer)[]>;

const EMPTY: Message = new Map();

function decodeMessage(bytes: Buffer): Message {
  const fields: Message = new Map();
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const wireType = tag & 7;
    const value =
      wireType === 0
        ? readVarint()
        : take(wireType === 1 ? 8 : wireType === 5 ? 4 : Number(readVarint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messagesOf = (message: Message, field: number) =>
  (message.get(field) ?? []).map((value) => decodeMessage(value as Buffer));
const bytesOf = (message: Message, field: number) =>
  (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const textOf = (message: Message, field: number) => bytesOf(message, field).toString('utf8');
const numberOf = (message: Message, field: number) => Number(message.get(field)?.[0] ?? 0);

const attributesOf = (message: Message, field: number) =>
  Object.fromEntries(
    messagesOf(message, field).map((pair) => {
      const [value = EMPTY] = messagesOf(pair, 2);
      return [textOf(pair, 1), value.has(1) ? textOf(value, 1) : numberOf(value, 3)];
    }),
  );

/** Decodes an ExportTraceServiceRequest (opentelemetry-proto, trace/v1). */
function decodeExport(body: Buffer): CollectedSpan[] {
  return messagesOf(decodeMessage(body), 1).flatMap((resourceSpans) => {
    const [resource = EMPTY] = messagesOf(resourceSpans, 1);
    const service = String(attributesOf(resource, 1)['service.name']);
    const spans = messagesOf(resourceSpans, 2).flatMap((scope) => messagesOf(scope, 2));
    return spans.map((span) => ({
      service,
      traceId: bytesOf(span, 1).toString('hex'),
      spanId: bytesOf(span, 2).toString('hex'),
      parentSpanId: bytesOf(span, 4).toString('hex'),
      name: textOf(span, 5),
      kind: numberOf(span, 6),
      attributes: attributesOf(span, 9),
      links: messagesOf(span, 13).map((link) => bytesOf(link, 1).toString('hex')),
      status: numberOf(messagesOf(span, 15)[0] ?? EMPTY, 3),
    }));
  });
}
