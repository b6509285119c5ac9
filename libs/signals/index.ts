/*
 * Handles SIGTERM and SIGINT while a program starts or waits. This file imports nothing: a program calls `endOnSignals`
 * before it imports anything else.
 */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 };
const SIGNALS = Object.entries(SIGNAL_NUMBERS);

let isStopping = false;
let isNoting = false;

/**
 * Makes a process with PID 1 in a container exit on SIGTERM and SIGINT, with the exit codes that a shell reports (143
 * and 130). The kernel delivers a signal to PID 1 only if the process listens for the signal. Once there is another
 * listener, such as Nest's, only that listener decides. If the process has another PID, the kernel ends it on these
 * signals, even while it is busy with imports.
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
 * Records signals for `isBeingStopped`. Call this function only after Nest has begun to listen for signals, because
 * `endOnSignals` no longer ends the program once there is a second listener.
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
