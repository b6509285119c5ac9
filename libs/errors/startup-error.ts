/** Thrown if a program cannot start. The message tells the operator what to do. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
