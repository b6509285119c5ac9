import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.js';

/** Records all commands that Redis gets. Redis leaves out those that log in. */
export class RedisMonitor {
  private text = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (this.text += text));
    socket.on('error', () => undefined);
  }

  // The client library fails if a command arrives together with the response to MONITOR.
  static async start(url: string): Promise<RedisMonitor> {
    const { hostname, port, username, password } = new URL(url);
    const monitor = new RedisMonitor(connect(Number(port || 6379), hostname));
    const login = password && `AUTH ${username || 'default'} ${decodeURIComponent(password)}\r\n`;
    monitor.socket.write(`${login}MONITOR\r\n`);
    await eventually('the monitor', () => monitor.text.includes('+OK\r\n'));
    return monitor;
  }

  /** The commands since the last call. */
  takeText(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  stop(): void {
    this.socket.destroy();
  }
}
