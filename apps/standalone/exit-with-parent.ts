/**
 * Standalone preloads this file (`--import`) into the programs that it starts. The programs themselves do not know
 * about standalone. When standalone ends, even after `kill -9`, the IPC channel between the two processes closes. The
 * program then sends itself the signal that an operator would use to stop it.
 */
const EXIT_TIMEOUT_MS = 10_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Without `unref`, the listener above would keep a finished program alive.
process.channel?.unref();
