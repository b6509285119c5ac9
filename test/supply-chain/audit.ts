/*
 * `npm run audit` fails if a production dependency has a known vulnerability without an exception in
 * audit-exceptions.json, and if nothing was checked. AUDIT_UNCHECKED=allow permits a registry that offers no
 * advisories, as some mirrors do.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Without retries, which take minutes if there is no registry.
const ARGUMENTS = ['audit', '--omit=dev', '--package-lock-only', '--json', '--fetch-retries=0'];

/** An advisory that does not concern Galley, with the reason, until a day on which somebody looks again. */
interface Exception {
  /** As in the URL of the advisory: GHSA-… */
  advisory: string;
  reason: string;
  /** The last day on which the exception holds, such as 2027-01-31. */
  until: string;
}

interface Advisory {
  name: string;
  title: string;
  url: string;
  severity: string;
}

/** The output of `npm audit --json`. Without advisories of the registry, it has a message instead. */
interface Report {
  vulnerabilities?: Record<string, { via: (Advisory | string)[] }>;
  message?: string;
  /** The status of the registry's response, if there was one. */
  statusCode?: number;
}

// The exit code if the registry offers no advisories, by which CI tells this failure from others.
const NO_ADVISORIES = 3;

if (import.meta.main) {
  const exceptions = JSON.parse(
    await readFile(join(import.meta.dirname, 'audit-exceptions.json'), 'utf8'),
  ) as Exception[];
  const report = await audit();
  const problems = assess(report, exceptions, new Date());
  if (problems === undefined) {
    process.exitCode = reportUnchecked(report, process.env['AUDIT_UNCHECKED'] === 'allow');
  } else if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(
      `No production dependency has a known vulnerability (exceptions: ${exceptions.length}).\n`,
    );
  }
}

/** Says why nothing was checked, and returns the exit code. */
function reportUnchecked({ message, statusCode = 0 }: Report, isAllowed: boolean): number {
  const offersNone = statusCode >= 400 && statusCode < 500;
  const remedy = offersNone
    ? 'The registry offers no advisories. Use one that does, or set AUDIT_UNCHECKED=allow.'
    : 'The registry did not respond as it should. Try again later.';
  process.stderr.write(`NOT CHECKED: ${message ?? 'npm audit got no report.'} ${remedy}\n`);
  if (!offersNone) return 1;
  return isAllowed ? 0 : NO_ADVISORIES;
}

/** npm also exits with 1 if there are vulnerabilities, so only the output counts. */
function audit(): Promise<Report> {
  return new Promise((resolve, reject) => {
    execFile('npm', ARGUMENTS, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Report);
      } catch {
        reject(new Error(`npm audit printed no JSON: ${stderr}`, { cause: error }));
      }
    });
  });
}

/** Returns why the audit fails; nothing if it succeeds; undefined if there is no report. */
export function assess(
  { vulnerabilities }: Report,
  exceptions: readonly Exception[],
  now: Date,
): string[] | undefined {
  if (vulnerabilities === undefined) return undefined;
  // A string names another vulnerable package, which has an entry of its own.
  const advisories = new Map(
    Object.values(vulnerabilities)
      .flatMap(({ via }) => via)
      .filter((entry) => typeof entry !== 'string')
      .map((advisory) => [idOf(advisory), advisory]),
  );
  const excepted = new Set(exceptions.map(({ advisory }) => advisory));
  const today = now.toISOString().slice(0, 10);
  return [
    ...[...advisories]
      .filter(([id]) => !excepted.has(id))
      .map(
        ([, { name, severity, title, url }]) =>
          `${name}: ${title} (${severity}, ${url}). Update it, or explain in audit-exceptions.json why Galley is not affected.`,
      ),
    ...exceptions.flatMap(({ advisory, reason, until }) => {
      if (reason.trim() === '') return [`The exception for ${advisory} has no reason.`];
      if (!/^\d{4}-\d\d-\d\d$/.test(until) || until < today) {
        return [`The exception for ${advisory} ended on ${until}: look at the advisory again.`];
      }
      return advisories.has(advisory)
        ? []
        : [`No dependency has ${advisory} any more: remove the exception.`];
    }),
  ];
}

function idOf({ url }: Advisory): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
