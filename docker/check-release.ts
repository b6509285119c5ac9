/*
 * `npm run check:release` fails if the images of a release could not be built again: a base image without a digest,
 * or a chart of another version. A release candidate, such as 1.0.0-rc.1, needs no digests: people try it with the
 * base images of the day. `.ci/run` runs this check for commits with a tag v….
 */
import { readFile } from 'node:fs/promises';

if (import.meta.main) {
  const [dockerfile, chart, manifest] = await Promise.all(
    ['docker/Dockerfile', 'docker/helm/galley/Chart.yaml', 'package.json'].map((path) =>
      readFile(path, 'utf8'),
    ),
  );
  const { version } = JSON.parse(manifest ?? '') as { version: string };
  const problems = problemsOfRelease(dockerfile ?? '', chart ?? '', version);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

export function problemsOfRelease(dockerfile: string, chart: string, version: string): string[] {
  const isCandidate = version.includes('-');
  const baseImages = isCandidate ? [] : (dockerfile.match(/(?<=^ARG \w+_IMAGE=).*/gm) ?? []);
  return [
    ...baseImages
      .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
      .map(
        (image) =>
          `docker/Dockerfile: ${image} has no digest. Add the one that "docker buildx imagetools inspect ${image}" prints.`,
      ),
    ...['version', 'appVersion']
      .filter((field) => !chart.split('\n').includes(`${field}: ${version}`))
      .map((field) => `docker/helm/galley/Chart.yaml: ${field} is not ${version}.`),
  ];
}
