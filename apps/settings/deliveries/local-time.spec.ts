import { describe, expect, it } from '@jest/globals';
import { fromLocalInput, toLocalInput } from './local-time.js';

describe('local times', () => {
  it.each(['2026-01-31T23:05', '2026-07-01T00:00'])(
    'survive the way there and back: %s',
    (value) => {
      expect(toLocalInput(fromLocalInput(value))).toBe(value);
    },
  );

  it('are absent while an input is empty', () => {
    expect(fromLocalInput('')).toBeUndefined();
    expect(toLocalInput(undefined)).toBe('');
  });
});
