import { expect, it } from '@jest/globals';
import { describeHosts, resolveKeyPrefix, parseRedisUrl } from '#redis';

const problemOf = (url: string): string => {
  try {
    parseRedisUrl(url);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

it.each(['redis://h', 'rediss://ada:p%40ss@h:6380/2', 'redis://[::1]:6379', 'redis://h?db=2'])(
  'leaves %s to the client',
  (url) => {
    expect(parseRedisUrl(url)).toEqual({ kind: 'server', url });
  },
);

it('parses sentinels, the primary, the database and both logins', () => {
  const url =
    'rediss+sentinel://ada:p%40s:s@one:26380,10.0.0.2,[fd00::1]:9/mymaster/2?sentinel_username=eve&sentinel_password=w%40tch';
  expect(parseRedisUrl(url)).toEqual({
    kind: 'sentinel',
    nodes: [
      { host: 'one', port: 26_380 },
      { host: '10.0.0.2', port: 26_379 },
      { host: 'fd00::1', port: 9 },
    ],
    primaryName: 'mymaster',
    database: 2,
    login: { username: 'ada', password: 'p@s:s' },
    sentinelLogin: { username: 'eve', password: 'w@tch' },
    hasTls: true,
  });
});

it('parses a cluster', () => {
  expect(parseRedisUrl('redis+cluster://:p%40ss@one,two:7000/0')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 6379 },
      { host: 'two', port: 7000 },
    ],
    login: { password: 'p@ss' },
    hasTls: false,
  });
});

it('makes the prefix a hash tag only in a cluster, so that existing queues keep their keys', () => {
  expect(resolveKeyPrefix('redis://h', 'galley')).toBe('galley');
  expect(resolveKeyPrefix('redis+sentinel://h/m', 'galley')).toBe('galley');
  expect(resolveKeyPrefix('redis+cluster://h', 'galley')).toBe('{galley}');
  expect(resolveKeyPrefix('redis+cluster://h', '{shop}:galley')).toBe('{shop}:galley');
});

it('names the hosts without the login', () => {
  expect(describeHosts('redis://ada:secret@h:6380/2')).toBe('h:6380');
  expect(describeHosts('redis+sentinel://:secret@a,b:1/m')).toBe('a:26379,b:1');
});

it.each([
  ['http://h', 'must be a URL such as redis://host:6379'],
  ['redis://a:6379,b:6379', 'must be a URL such as redis://host:6379'],
  ['redis+sentinel://a,b', 'must end with the name of the primary'],
  ['redis+sentinel://a,b/', 'must end with the name of the primary'],
  ['redis+sentinel://a/m/two', 'must end with the name of the primary'],
  ['redis+sentinel://a/m/0/0', 'must end with the name of the primary'],
  ['redis+sentinel://a,/m', 'must have hosts'],
  ['redis+sentinel://a:99999/m', 'must have hosts'],
  ['redis+sentinel://:secret%4@a/m', 'must percent-encode special characters'],
  ['redis+cluster://a,b/1', 'a cluster has only one database'],
  ['redis+cluster://a,b?db=0', 'a cluster has only one database'],
  ['redis+sentinel://a/m?password=secret', 'must have no parameters'],
])('refuses %s', (url, problem) => {
  expect(problemOf(url)).toContain(problem);
  expect(problemOf(url)).not.toContain('sec');
});
