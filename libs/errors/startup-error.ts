/** A program cannot start; the message tells its operator what to do. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
