import type { ChildProcess } from 'node:child_process';

interface InspectorResponse {
  id: number;
  result: { result?: { value?: unknown } };
}

interface ScriptParsed {
  method?: string;
  params: { url: string };
}

/**
 * Inspects a process that was started with `--inspect=127.0.0.1:0` and whose stderr is a pipe.
 */
export class Inspector {
  private lastId = 0;
  private readonly waiting = new Map<number, (response: InspectorResponse) => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const response = JSON.parse(String(data)) as InspectorResponse;
      this.waiting.get(response.id)?.(response);
      this.waiting.delete(response.id);
    });
  }

  static async attach(child: ChildProcess): Promise<Inspector> {
    const address = await new Promise<string>((resolve) => {
      child.stderr?.on('data', (text: Buffer) => {
        const [found] = /ws:\S+/.exec(text.toString()) ?? [];
        if (found) resolve(found);
      });
    });
    const socket = new WebSocket(address);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    return new Inspector(socket);
  }

  /** The memory of the heap and of external buffers after a garbage collection, in MiB. */
  async heldMemory(): Promise<number> {
    await this.send('HeapProfiler.collectGarbage');
    const bytes = await this.evaluate(
      '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())',
    );
    return Number(bytes) / 1024 / 1024;
  }

  /**
   * How long each turn of the event loop since the previous call took, in ms, the longest first. The first call
   * starts the measurement. Only the thread's own processor time counts, not that of other programs on a busy
   * machine.
   */
  async turnsMs(): Promise<number[]> {
    const turns = await this.evaluate(`(() => {
      const turns = globalThis.turns ?? [];
      globalThis.turns = [];
      globalThis.turnTimer ??= (() => {
        let last = process.threadCpuUsage();
        return setInterval(() => {
          const { user, system } = process.threadCpuUsage(last);
          last = process.threadCpuUsage();
          globalThis.turns.push((user + system) / 1000);
        }, 1);
      })();
      return turns.sort((a, b) => b - a);
    })()`);
    return turns as number[];
  }

  /** The URLs and paths of all scripts that the process has loaded. */
  async loadedScripts(): Promise<string[]> {
    const urls: string[] = [];
    this.socket.addEventListener('message', ({ data }) => {
      const { method, params } = JSON.parse(String(data)) as ScriptParsed;
      if (method === 'Debugger.scriptParsed') urls.push(params.url);
    });
    // Reports all scripts before it responds.
    await this.send('Debugger.enable');
    await this.send('Debugger.disable');
    return urls;
  }

  close(): void {
    this.socket.close();
  }

  private async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    return result.result?.value;
  }

  private send(method: string, params: object = {}): Promise<InspectorResponse> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
