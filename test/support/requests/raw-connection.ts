import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.js';

/** A connection on which a test writes raw HTTP. */
export class RawConnection {
  text = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => (this.text += part));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const connection = new RawConnection(connect(Number(port), hostname));
    await new Promise((resolve) => connection.socket.once('connect', resolve));
    return connection;
  }

  /** @param lines the request line, such as `GET / HTTP/1.1`, and the headers. */
  send(lines: string[], body: string | Buffer = ''): void {
    this.socket.write([...lines, 'host: galley.test', '', ''].join('\r\n'), 'latin1');
    if (body.length > 0) this.socket.write(body);
  }

  get statuses(): number[] {
    return Array.from(this.text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
  }

  /** Waits for this many responses, and counts interim (1xx) responses too. */
  async responses(count: number): Promise<number[]> {
    await eventually(`${count} responses`, () => this.statuses.length >= count);
    return this.statuses;
  }

  close(): void {
    this.socket.destroy();
  }
}
