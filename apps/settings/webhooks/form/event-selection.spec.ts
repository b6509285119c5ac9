import { describe, expect, test } from '@jest/globals';
import { countEvents, isCovered, toggleEvent } from './event-selection.js';

describe('The event selection', () => {
  test('adds and removes an event', () => {
    expect(toggleEvent([], 'template.created', true)).toEqual(['template.created']);
    expect(toggleEvent(['template.created'], 'template.created', false)).toEqual([]);
  });

  test('replaces events by a pattern that matches them', () => {
    expect(toggleEvent(['template.created', 'module.created'], 'template.*', true)).toEqual([
      'module.created',
      'template.*',
    ]);
    expect(toggleEvent(['template.*', 'module.created'], '*', true)).toEqual(['*']);
  });

  test('detects the events that a pattern matches', () => {
    expect(isCovered(['template.*'], 'template.created')).toBe(true);
    expect(isCovered(['template.*'], 'module.created')).toBe(false);
    expect(isCovered(['*'], 'module.*')).toBe(true);
    expect(isCovered(['module.*'], 'module.*')).toBe(false);
  });

  test('counts event kinds', () => {
    expect(countEvents(['template.*', 'module.created'])).toBe(8);
    expect(countEvents(['*'])).toBeUndefined();
  });
});
