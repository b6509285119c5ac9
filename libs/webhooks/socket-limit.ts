// Enough to keep connections alive to busy receivers. A TLS connection takes some 50 KB.
const MOST_SOCKETS = 2_000;
// For PostgreSQL, Redis, health checks, name servers and the log.
const OTHER_FILES = 128;

interface Report {
  userLimits?: { open_files?: { soft: number | 'unlimited' } };
}

/**
 * How many sockets to receivers this process may have open, by what the operating system lets it open
 * (`ulimit -n`).
 */
export function socketLimit(): number {
  // Otherwise the report looks up the names of all addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as Report;
  const files = userLimits?.open_files?.soft;
  if (typeof files !== 'number') return MOST_SOCKETS;
  return Math.max(1, Math.min(MOST_SOCKETS, files - OTHER_FILES));
}
