import { describe, expect, test } from '@jest/globals';
import { formatSuccessRate, isMostlyFailing, nameOfWebhook, shortenUrl } from './webhook-format.js';

const url = 'https://hooks.example.com/galley';

describe('The name of a webhook', () => {
  test('is the first line of its description', () => {
    expect(nameOfWebhook({ url, description: ' Orders\nof the shop ' })).toBe('Orders');
  });

  test('is its URL if the description is empty', () => {
    expect(nameOfWebhook({ url, description: ' ' })).toBe('hooks.example.com/galley');
  });

  test('ends with … if the description is long', () => {
    const name = nameOfWebhook({ url, description: 'a'.repeat(200) });
    expect(name).toHaveLength(60);
    expect(name.endsWith('a…')).toBe(true);
  });
});

test('A shortened URL keeps its host and its end', () => {
  const short = shortenUrl(`https://hooks.example.com/${'a/'.repeat(60)}end`, 40);
  expect(short).toHaveLength(40);
  expect(short).toMatch(/^hooks\.example\.com\/.*…a\/.*\/end$/);
});

test.each([
  [0, 0, undefined],
  [1, 1, '100%'],
  [1, 0, '0%'],
  [100_000, 99_999, '99.9%'],
  [6, 1, '16.7%'],
  [3, 2, '66.7%'],
])('of %i attempts, %i succeeded: %s', (attempts, delivered, text) => {
  expect(formatSuccessRate({ attempts, delivered })).toBe(text);
});

test.each([
  [0, 0, false],
  [2, 1, false],
  [3, 1, true],
  [1, 0, true],
])('of %i attempts, %i succeeded, so most failed: %s', (attempts, delivered, isBad) => {
  expect(isMostlyFailing({ attempts, delivered })).toBe(isBad);
});
