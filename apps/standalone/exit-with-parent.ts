/**
 * Preloaded (`--import`) into the programs that standalone starts, which know nothing of it. When
 * standalone ends, even by kill -9, the channel between the two processes closes, and the program sends
 * itself the signal with which an operator would stop it.
 */
const EXIT_TIMEOUT_MS = 10_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Otherwise the listener would keep a program alive that has finished.
process.channel?.unref();
