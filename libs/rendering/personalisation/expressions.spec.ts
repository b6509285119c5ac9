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
    [
      `name|default:'a "b"'|default:""`,
      ['name'],
      [
        ['default', 'a "b"'],
        ['default', ''],
      ],
    ],
    [
      'total | number:2|default: -1.5',
      ['total'],
      [
        ['number', 2],
        ['default', -1.5],
      ],
    ],
    ['_a$', ['_a$'], []],
    ['true', ['true'], []],
    [`a${'.a'.repeat(19)}`, Array<string>(20).fill('a'), []],
    ['a'.repeat(500), ['a'.repeat(500)], []],
    [`a${' | upcase'.repeat(10)}`, ['a'], Array<string[]>(10).fill(['upcase'])],
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
    ['a | date.x', 'date.x must have no dot'],
    ['a | default: b', 'where a text in quotes or a number must be, `b` is there'],
    ['a | default:', 'where a text in quotes or a number must be, nothing follows'],
    ['a | default: "b" "c"', 'where the end must be, `"c"` is there'],
    ['a | default: "b", ', 'where a text in quotes or a number must be, nothing follows'],
    ['a "|" upcase', 'where the end must be, `"|"` is there'],
    ['a | | upcase', 'where a name must be, `|` is there'],
    ['or', 'where a name must be, `or` is there'],
    ['7', 'where a name must be, `7` is there'],
    ['7a', 'where a name must be, `7` is there'],
    [`${' '.repeat(9)}(${'a'.repeat(30)}`, `\`(${'a'.repeat(19)}\` cannot be read`],
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
    ['false', { operand: { value: false } }],
    ['not not a', { not: { not: a } }],
    ['a or b or c', { or: [a, b, c] }],
    ['a and b and c', { and: [a, b, c] }],
    ['not a or b', { or: [{ not: a }, b] }],
    ['"or"', { operand: { value: 'or' } }],
    ['""', { operand: { value: '' } }],
    ['true.a', { operand: { path: ['true', 'a'] } }],
    ['android', { operand: { path: ['android'] } }],
    ...['==', '!=', '<=', '>=', '<', '>'].map((comparison): [string, object] => [
      `a${comparison}7`,
      { left: { path: ['a'] }, comparison, right: { value: 7 } },
    ]),
  ])('%s', (source, condition) => {
    expect(parseCondition(source)).toEqual(condition);
  });

  it.each([
    ['', 'where a name must be, nothing follows'],
    ['a =', '`=` cannot be read'],
    ['a == ', 'where a name must be, nothing follows'],
    ['and a', 'where a name must be, `and` is there'],
    ['a b', 'where the end must be, `b` is there'],
    ['a | upcase', 'where the end must be, `|` is there'],
    ['(a)', '`(a)` cannot be read'],
    ['a and', 'where a name must be, nothing follows'],
    ['not', 'where a name must be, nothing follows'],
    ['a < b < c', 'where the end must be, `<` is there'],
    ['a "or" b', 'where the end must be, `"or"` is there'],
    ['a or in', 'where a name must be, `in` is there'],
    ['a'.repeat(501), 'it has more than 500 characters'],
  ])('%s is refused', (source, message) => {
    expect(() => parseCondition(source)).toThrow(message);
  });
});

describe('a repetition', () => {
  it('names an item and a list', () => {
    expect(parseRepeat('line in order.lines')).toEqual({ item: 'line', path: ['order', 'lines'] });
  });

  it.each([
    ['', 'where a name must be, nothing follows'],
    ['line', 'it must be like `item in order.items`'],
    ['line of lines', 'it must be like `item in order.items`'],
    ['in in in', 'where a name must be, `in` is there'],
    ['a.b in c', 'a.b must have no dot'],
    ['a in b c', 'where the end must be, `c` is there'],
    ['a in "b"', 'where a name must be, `"b"` is there'],
    ['a "in" b', 'it must be like `item in order.items`'],
  ])('%s is refused', (source, message) => {
    expect(() => parseRepeat(source)).toThrow(message);
  });
});
