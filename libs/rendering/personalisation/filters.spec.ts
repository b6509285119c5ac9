import { describe, expect, it, jest } from '@jest/globals';
import { Cost, FILTERED, FORMAT, NEW_FORMATTER } from './cost.js';
import { applyFilter, checkFilter, isEmpty, isFilter } from './filters.js';

// cspell:ignore ΟΔΟΣ οδος İSTANBUL istanbul

const apply = (
  value: unknown,
  name: string,
  options: (string | number)[] = [],
  locale = 'en',
  cost = new Cost(true),
) => applyFilter(value, { name, options }, locale, cost);
const plain = (value: unknown) =>
  typeof value === 'string' ? value.replace(/[\u00a0\u202f]/g, ' ') : value;

describe('a value of the data', () => {
  it.each([undefined, null, ''])('%j counts as missing, and the default replaces it', (value) => {
    expect(isEmpty(value)).toBe(true);
    expect(apply(value, 'default', ['friend'])).toBe('friend');
  });

  it.each([0, false, ' ', [], 'Ada'])('%j keeps its value', (value) => {
    expect(isEmpty(value)).toBe(false);
    expect(apply(value, 'default', ['friend'])).toBe(value);
  });
});

describe('the letters of', () => {
  it.each([
    ['istanbul', 'upcase', 'tr', 'İSTANBUL'],
    ['istanbul', 'upcase', 'en', 'ISTANBUL'],
    ['ΟΔΟΣ', 'downcase', 'el', 'οδος'],
    ['İ', 'downcase', 'tr', 'i'],
    ['ada lovelace', 'capitalize', 'en', 'Ada lovelace'],
    ['istanbul', 'capitalize', 'tr', 'İstanbul'],
    // A letter that consists of two UTF-16 code units.
    ['𐐨𐐨', 'capitalize', 'en', '𐐀𐐨'],
    ['', 'capitalize', 'en', ''],
    [7, 'upcase', 'en', 7],
  ])('%j with %s in %s: %j', (value, name, locale, expected) => {
    expect(apply(value, name, [], locale)).toBe(expected);
  });
});

describe('the number', () => {
  it.each([
    [1234.5678, 'number', [], '1,234.568'],
    [1234.5678, 'number', [1], '1,234.6'],
    [2, 'number', [2], '2.00'],
    ['12.50', 'number', [], '12.5'],
    [' 12 ', 'number', [], '12'],
    ['1e3', 'number', [], '1,000'],
    [0.1255, 'percent', [], '12.55%'],
    [0.5, 'percent', [], '50%'],
    [3, 'currency', ['EUR'], '€3.00'],
    [`${'0'.repeat(99)}7`, 'number', [], '7'],
    // A value that is not a number is not changed.
    [`${'0'.repeat(100)}7`, 'number', [], `${'0'.repeat(100)}7`],
    ['twelve', 'number', [], 'twelve'],
    ['', 'number', [], ''],
    [' ', 'number', [], ' '],
    ['Infinity', 'number', [], 'Infinity'],
    [NaN, 'number', [], NaN],
    [true, 'number', [], true],
    [null, 'number', [], null],
  ])('%j with %s %j: %j', (value, name, options, expected) => {
    expect(apply(value, name, options)).toEqual(expected);
  });
});

describe('the time', () => {
  it.each([
    ['2026-03-01', 'date', [], 'Mar 1, 2026'],
    ['2026-03-01', 'date', ['short'], '3/1/26'],
    ['2026-03-01', 'date', ['full'], 'Sunday, March 1, 2026'],
    ['2026-03-01T03:30', 'time', [], '3:30 AM'],
    ['2026-03-01T03:30:45', 'time', ['medium'], '3:30:45 AM'],
    ['2026-03-01T03:30:45.678Z', 'time', ['medium'], '3:30:45 AM'],
    ['2026-03-01T03:30', 'datetime', [], 'Mar 1, 2026, 3:30 AM'],
    ['2026-03-01T03:30', 'datetime', ['short'], '3/1/26, 3:30 AM'],
    ['2026-03-01T03:30Z', 'datetime', ['short', 'Asia/Tokyo'], '3/1/26, 12:30 PM'],
    ['2026-03-01T03:30+02:00', 'time', [], '1:30 AM'],
    ['2026-03-01T03:30-0130', 'time', [], '5:00 AM'],
    [' 2026-03-01 ', 'date', [], 'Mar 1, 2026'],
    [Date.UTC(2026, 2, 1), 'date', [], 'Mar 1, 2026'],
    // A value that is not a time is not changed.
    ['2026-3-1', 'date', [], '2026-3-1'],
    ['on 2026-03-01', 'date', [], 'on 2026-03-01'],
    ['2026-03-01 or later', 'date', [], '2026-03-01 or later'],
    ['2026-13-01', 'date', [], '2026-13-01'],
    ['2026-03-01T3', 'date', [], '2026-03-01T3'],
    ['March 2026', 'date', [], 'March 2026'],
    [1e20, 'date', [], 1e20],
    [NaN, 'date', [], NaN],
    [null, 'date', [], null],
    [true, 'date', [], true],
  ])('%j with %s %j: %j', (value, name, options, expected) => {
    expect(plain(apply(value, name, options))).toEqual(expected);
  });
});

describe('the options of a filter', () => {
  it.each<[name: string, options: (string | number)[], problem: string | undefined]>([
    ['default', [], 'the filter default needs an option'],
    ['default', ['a'], undefined],
    ['default', ['a', 'b'], 'the filter default has too many options'],
    ['upcase', ['a'], 'the filter upcase has too many options'],
    ['number', [], undefined],
    ['number', [100], undefined],
    ['number', [101], 'the filter number has no option 101'],
    ['number', [1, 2], 'the filter number has too many options'],
    ['percent', [1], 'the filter percent has too many options'],
    ['currency', [], 'the filter currency needs an option'],
    ['currency', ['EUR'], undefined],
    ['currency', ['EUR', 'USD'], 'the filter currency has too many options'],
    ['date', ['long', 'Europe/Berlin'], undefined],
    ['date', ['long', 'UTC', 'a'], 'the filter date has too many options'],
    ['time', ['long', 'Mars'], 'the filter time has no option long, Mars'],
  ])('%s with %j', (name, options, problem) => {
    expect(isFilter(name)).toBe(true);
    expect(checkFilter(name, options)).toBe(problem);
  });

  it('require a known filter', () => {
    expect(['shout', 'constructor', ''].filter(isFilter)).toEqual([]);
  });
});

describe('the cost', () => {
  const cost = new Cost(false);
  const spend = jest.spyOn(cost, 'spend');
  const costOf = (value: unknown, name: string, options: (string | number)[] = []) => {
    spend.mockClear();
    const result = apply(value, name, options, 'sv', cost);
    const steps = spend.mock.calls.reduce((sum, [each]) => sum + each, 0);
    return [String(result).length, steps] as const;
  };

  it('of letters grows with the text', () => {
    expect(costOf('a'.repeat(600), 'upcase')).toEqual([600, 600 / FILTERED]);
  });

  it('of a number includes its digits and, on first use, its formatter', () => {
    const [length, first] = costOf(12.5, 'number', [50]);
    expect(first).toBe(NEW_FORMATTER + FORMAT + length / FILTERED);
    expect(costOf(12.5, 'number', [50])).toEqual([length, FORMAT + length / FILTERED]);
  });

  it('of a time includes its format and, on first use, its formatter', () => {
    const [, first] = costOf(0, 'date', ['full', 'Asia/Tokyo']);
    expect(first).toBe(NEW_FORMATTER + FORMAT);
    expect(costOf(0, 'date', ['full', 'Asia/Tokyo'])[1]).toBe(FORMAT);
    expect(costOf(0, 'date', ['full', 'Asia/Seoul'])[1]).toBe(NEW_FORMATTER + FORMAT);
  });

  it('includes only new formatters, and a 201st time zone clears the cache', () => {
    const [other, ...zones] = Intl.supportedValuesOf('timeZone').slice(0, 201);
    const isNew = (zone = '') => costOf(0, 'time', ['full', zone])[1] > FORMAT;
    // In the first pass, the zones replace cached formatters of other tests.
    for (let time = 0; time < 2; time++) zones.forEach((zone) => isNew(zone));
    expect(zones.filter((zone) => isNew(zone))).toEqual([]);
    expect(isNew(other)).toBe(true);
    expect(zones.filter((zone) => isNew(zone))).toEqual(zones);
  });
});
