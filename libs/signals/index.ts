/*
 * Handles SIGTERM and SIGINT while a program starts or waits. This file imports nothing: a program calls `endOnSignals`
 * before it imports anything else.
 */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 };
const SIGNALS = Object.entries(SIGNAL_NUMBERS);

let isStopping = false;
let isNoting = false;

/**
 * Ends the first process of a container at SIGTERM and SIGINT, with the exit code that a shell reports (143, 130): such
 * a process gets only signals that it listens for. Once something else listens, such as Nest, the other listener alone
 * decides. Everywhere else, the system ends the program, even while it is busy with imports.
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
 * Records signals for `isBeingStopped`. Called once something else, such as Nest, ends the program properly at a
 * signal.
 */
export function noteSignals(): void {
  if (isNoting) return;
  isNoting = true;
  for (const [signal] of SIGNALS) process.on(signal, () => (isStopping = true));
}

/**
 * Whether a signal has arrived. A program that is stopped while it starts may fail to start, which is then not an
 * error.
 */
export const isBeingStopped = (): boolean => isStopping;
