/**
 * Preloaded (`--import`) into the programs that standalone starts, which know nothing of it. When
 * standalone ends, even by kill -9, the channel between the two closes, and the program asks itself
 * to stop as an operator would.
 */
const EXIT_TIMEOUT_MS = 10_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The listener would keep a program alive that has nothing left to do.
process.channel?.unref();
