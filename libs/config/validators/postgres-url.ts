import { makeValidator } from 'envalid';
import { secret } from '../secrets/secret.js';

const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/**
 * Gives `sslmode` the same meaning in all programs and with every version of the driver. Version 8 of pg treats
 * `require` and `verify-ca` as `verify-full`. It also prints a warning, outside the log, that version 9 will no longer
 * check the certificate for `require`.
 */
export const postgresUrl = secret(
  makeValidator((input: string) => {
    if (!/^postgres(ql)?:\/\//.test(input) || !URL.canParse(input)) {
      throw new Error('must be a URL such as postgres://user:password@host:5432/galley');
    }
    const { searchParams } = new URL(input);
    const [mode = null, ...others] = searchParams.getAll('sslmode');
    if (others.length > 0) throw new Error('must have only one sslmode');
    if (mode !== null && !SSL_MODES.includes(mode)) {
      // The driver cannot fall back to a connection without TLS, as `prefer` and `allow` demand.
      throw new Error(`must set sslmode to one of ${SSL_MODES.join(', ')}`);
    }
    if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
      // Without `sslrootcert`, a certificate from any public CA would pass, and anyone can get one for a host of their
      // own.
      throw new Error('must have sslrootcert, because sslmode is verify-ca');
    }
    return mode === null ? input : setMode(input, mode);
  }),
);

// Leaves the rest of the URL unchanged: URLSearchParams would encode a space as `+`, which pg_dump does not decode.
const setMode = (url: string, mode: string): string =>
  url.replace(/([?&])sslmode=[^&]*/, `$1sslmode=${DRIVER_MODES[mode] ?? mode}`);

const DRIVER_MODES: Record<string, string> = {
  require: 'verify-full',
  // With this parameter, the driver checks the certificate but not the host name.
  'verify-ca': 'verify-ca&uselibpqcompat=true',
};
