import { readdir, readFile } from 'node:fs/promises';
import type { TestDatabase } from '../support/galley/database.js';

// Linux counts the time of ended children in hundredths of a second (USER_HZ) on all platforms.
const TICK_MS = 10;
const NANOSECONDS_PER_MS = 1e6;

/** Milliseconds of processor time of the main thread of a process, where a Node program runs JavaScript. */
export const mainThreadMs = (pid: number): Promise<number> => taskMs(`/proc/${pid}`);

/** Milliseconds of processor time of all threads of a process. */
export async function processMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  return sum(await Promise.all(threads.map((thread) => taskMs(`/proc/${pid}/task/${thread}`))));
}

/**
 * Milliseconds of processor time of PostgreSQL: of its first process and of that process's children, living
 * and ended. There is one child for each connection and for each background task, each with one thread.
 */
export async function postgresMs(pid: number): Promise<number> {
  const living = await Promise.all([pid, ...(await childrenOf(pid))].map(mainThreadMs));
  return sum(living) + (await endedChildrenMs(pid));
}

/** The process ID of the PostgreSQL server of a database, which is the parent of each connection's process. */
export async function postgresPidOf(database: Pick<TestDatabase, 'query'>): Promise<number> {
  const [backend] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Number((await statOf(backend?.pid ?? NaN))[PARENT]);
}

/** Milliseconds of processor time that nobody used, of all processors together. */
export async function idleMs(): Promise<number> {
  const [total = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [, , , , idle, waitingForDisk] = total.split(/\s+/);
  return (Number(idle) + Number(waitingForDisk)) * TICK_MS;
}

// Positions in /proc/<pid>/stat after the name of the program (proc_pid_stat(5)).
const PARENT = 1;
const ENDED_CHILDREN_USER = 13;
const ENDED_CHILDREN_SYSTEM = 14;

async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain spaces.
  return text.slice(text.lastIndexOf(') ') + 2).split(' ');
}

async function endedChildrenMs(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[ENDED_CHILDREN_USER]) + Number(fields[ENDED_CHILDREN_SYSTEM])) * TICK_MS;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** `schedstat` counts nanoseconds, `stat` only hundredths of a second. An ended task has no time. */
async function taskMs(directory: string): Promise<number> {
  const text = await readFile(`${directory}/schedstat`, 'utf8').catch(() => '0');
  return Number(text.split(' ')[0]) / NANOSECONDS_PER_MS;
}

const sum = (figures: readonly number[]): number =>
  figures.reduce((total, figure) => total + figure, 0);
