/**
 * Standalone preloads this file (`--import`) into the programs that it starts. The programs themselves know
 * nothing of standalone. When standalone ends, even by kill -9, the channel between the two processes
 * closes. The program then sends itself the signal with which an operator would stop it.
 */
const EXIT_TIMEOUT_MS = 10_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Otherwise, the listener would keep a finished program alive.
process.channel?.unref();
