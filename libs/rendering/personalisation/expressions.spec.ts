import { describe, expect, it } from '@jest/globals';
import { parseCondition, parseMergeTag, parseRepeat } from './expressions.js';

describe('a merge tag', () => {
  it.each([
    ['first_name', ['first_name'], []],
    ['user.name', ['user', 'name'], []],
    ['items.0.größe-2', ['items', '0', 'größe-2'], []],
    [`  name|default:"a | b"|upcase `, ['name'], [['default', 'a | b'], ['upcase']]],
    [`at | date: 'long', "Europe/Berlin"`, ['at'], [['date', 'long', 'Europe/Berlin']]],
    ['total | number: 2', ['total'], [['number', 2]]],
  ])('%s', (source, path, filters) => {
    const tag = parseMergeTag(source);
    expect(tag.path).toEqual(path);
    expect(tag.filters.map(({ name, options }) => [name, ...options])).toEqual(filters);
  });

  it.each([
    ['', 'where a name must be, nothing follows'],
    ['#if x', '`#if x` cannot be read'],
    ['a b', 'where the end must be, `b` is there'],
    ['"text"', 'where a name must be, `"text"` is there'],
    ['a |', 'where a name must be, nothing follows'],
    ['a | shout', 'there is no filter shout'],
    ['a | constructor', 'there is no filter constructor'],
    ['a | default', 'the filter default needs an option'],
    ['a | upcase: "x"', 'the filter upcase has too many options'],
    ['a | currency: "EURO"', 'the filter currency does not know the option EURO'],
    ['a | date: "long", "Europe/Atlantis"', 'does not know the option long, Europe/Atlantis'],
    ['a | date: "huge"', 'the filter date does not know the option huge'],
    ['a | number: 1000', 'the filter number does not know the option 1000'],
    ['a..b', '`..b` cannot be read'],
    ['a'.repeat(501), 'it has more than 500 characters'],
    [`a${'.a'.repeat(20)}`, 'a path has more than 20 names'],
    [`a${' | upcase'.repeat(11)}`, 'it has more than 10 filters'],
  ])('%s is refused', (source, message) => {
    expect(() => parseMergeTag(source)).toThrow(message);
  });
});

describe('a condition', () => {
  const a = { operand: { path: ['a'] } };
  const b = { operand: { path: ['b'] } };
  const c = { operand: { path: ['c'] } };
  it.each([
    ['a', a],
    ['not a', { not: a }],
    ['a or b and not c', { or: [a, { and: [b, { not: c }] }] }],
    ['a.b >= -1.5', { left: { path: ['a', 'b'] }, comparison: '>=', right: { value: -1.5 } }],
    ['a != null', { left: { path: ['a'] }, comparison: '!=', right: { value: null } }],
    ['"x" == a', { left: { value: 'x' }, comparison: '==', right: { path: ['a'] } }],
    ['true', { operand: { value: true } }],
  ])('%s', (source, condition) => {
    expect(parseCondition(source)).toEqual(condition);
  });

  it.each(['', 'a =', 'a == ', 'and a', 'a b', 'a | upcase', '(a)', 'a and', 'not', 'a < b < c'])(
    '%s is refused',
    (source) => {
      expect(() => parseCondition(source)).toThrow();
    },
  );
});

describe('a repetition', () => {
  it('names an item and a list', () => {
    expect(parseRepeat('line in order.lines')).toEqual({ item: 'line', path: ['order', 'lines'] });
  });

  it.each(['', 'line', 'line of lines', 'in in in', 'a.b in c', 'a in b c', 'a in "b"'])(
    '%s is refused',
    (source) => {
      expect(() => parseRepeat(source)).toThrow();
    },
  );
});
