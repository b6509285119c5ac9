/*
 * Handles SIGTERM and SIGINT while a program starts or waits. This file imports nothing: a program calls `endOnSignals`
 * before it imports anything else.
 */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 };
const SIGNALS = Object.entries(SIGNAL_NUMBERS);

let isStopping = false;
let isNoting = false;

/**
 * Makes PID 1 of a container exit on SIGTERM and SIGINT with the exit code that a shell reports (143, 130): the kernel
 * delivers only signals that PID 1 listens for. Once another listener exists, such as Nest's, it alone decides. A
 * process with another PID is ended by the system, even while it is busy with imports.
 */
export function endOnSignals(): void {
  if (process.pid !== 1) return;
  for (const [signal, number] of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

/**
 * Records signals for `isBeingStopped`. Call it once something else, such as Nest, ends the program properly on a
 * signal.
 */
export function noteSignals(): void {
  if (isNoting) return;
  isNoting = true;
  for (const [signal] of SIGNALS) process.on(signal, () => (isStopping = true));
}

/**
 * Whether a signal has arrived. A program that is stopped while it starts may fail to start, but that is not an error.
 */
export const isBeingStopped = (): boolean => isStopping;
