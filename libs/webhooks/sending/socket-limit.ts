// This many sockets are enough to keep connections to busy receivers alive. A TLS connection takes about 50 KB.
const MAX_SOCKETS = 2_000;
// File descriptors reserved for PostgreSQL, Redis, health checks, name servers and the log.
const RESERVED_FILES = 128;

interface ProcessReport {
  userLimits?: { open_files?: { soft: number | 'unlimited' } };
}

/**
 * Returns how many sockets to receivers this process may open. The limit on open files (`ulimit -n`) may lower the
 * number.
 */
export function socketLimit(): number {
  // Without this setting, the report would look up the host names of all connected addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as ProcessReport;
  const maxOpenFiles = userLimits?.open_files?.soft;
  if (typeof maxOpenFiles !== 'number') return MAX_SOCKETS;
  return Math.max(1, Math.min(MAX_SOCKETS, maxOpenFiles - RESERVED_FILES));
}
