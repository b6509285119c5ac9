import { describe, expect, test } from '@jest/globals';
import { nameOfWebhook, shortenUrl } from './webhook-name.js';

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

test('A long URL keeps its host and its end', () => {
  const short = shortenUrl(`https://hooks.example.com/${'a/'.repeat(60)}end`, 40);
  expect(short).toHaveLength(40);
  expect(short).toMatch(/^hooks\.example\.com\/.*…a\/.*\/end$/);
});
