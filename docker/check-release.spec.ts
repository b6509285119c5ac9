import { expect, it } from '@jest/globals';
import { problemsOfRelease } from './check-release.js';

const chart = 'version: 1.2.3\nappVersion: 1.2.3\n';

it('a release names its base images by digest, and its chart has its version', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const pinned = `ARG NODE_IMAGE=node:24@${digest}\nARG POSTGRES_IMAGE=postgres:18@${digest}\n`;
  expect(problemsOfRelease(pinned, chart, '1.2.3')).toEqual([]);
  expect(problemsOfRelease('ARG NODE_IMAGE=node:24\n', chart, '1.2.3')).toEqual([
    expect.stringContaining('node:24 has no digest'),
  ]);
  expect(problemsOfRelease(pinned, chart, '1.3.0')).toHaveLength(2);
});

it('a release candidate needs no digests, but a chart of its version', () => {
  const candidateChart = 'version: 1.2.3-rc.1\nappVersion: 1.2.3-rc.1\n';
  expect(problemsOfRelease('ARG NODE_IMAGE=node:24\n', candidateChart, '1.2.3-rc.1')).toEqual([]);
  expect(problemsOfRelease('ARG NODE_IMAGE=node:24\n', chart, '1.2.3-rc.1')).toHaveLength(2);
});
