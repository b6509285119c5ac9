import { StartupError } from '#errors';

interface Listener {
  listen(port: number, host: string): Promise<unknown>;
}

interface Address {
  /** The name of the variable that contains the port. */
  variable: string;
  port: number;
  host: string;
}

// `PORT_ERRORS` mean that the port cannot be used. If one of the `SYSTEM_CALLS` fails with another code, the host is
// the cause.
const PORT_ERRORS = ['EADDRINUSE', 'EACCES'];
const SYSTEM_CALLS = ['listen', 'bind', 'getaddrinfo'];

/** @throws StartupError that names the variable if the port or the host cannot be used. */
export async function listen(app: Listener, { variable, port, host }: Address): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
    if (!SYSTEM_CALLS.includes(syscall)) throw error;
    throw new StartupError(
      PORT_ERRORS.includes(code)
        ? `${variable} ${port} cannot be used (${code}): set ${variable} to a free port.`
        : `HOST ${host} cannot be used (${code}): set HOST to an address of this machine, or to 0.0.0.0 for all addresses.`,
    );
  }
}
