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
    ['', 'expected a name, but found nothing'],
    ['#if x', '`#if x` is not valid here'],
    ['a b', 'expected the end of the expression, but found `b`'],
    ['"text"', 'expected a name, but found `"text"`'],
    ['a |', 'expected a name, but found nothing'],
    ['a | shout', 'there is no filter shout'],
    ['a | constructor', 'there is no filter constructor'],
    ['a | default', 'the filter default needs an option'],
    ['a | upcase: "x"', 'the filter upcase has too many options'],
    ['a | currency: "EURO"', 'the filter currency has no option EURO'],
    ['a | date: "long", "Europe/Atlantis"', 'has no option long, Europe/Atlantis'],
    ['a | date: "huge"', 'the filter date has no option huge'],
    ['a | number: 1000', 'the filter number has no option 1000'],
    ['a | date.x', 'date.x must not contain a dot'],
    ['a | default: b', 'expected a string in quotes or a number, but found `b`'],
    ['a | default:', 'expected a string in quotes or a number, but found nothing'],
    ['a | default: "b" "c"', 'expected the end of the expression, but found `"c"`'],
    ['a | default: "b", ', 'expected a string in quotes or a number, but found nothing'],
    ['a "|" upcase', 'expected the end of the expression, but found `"|"`'],
    ['a | | upcase', 'expected a name, but found `|`'],
    ['or', 'expected a name, but found `or`'],
    ['7', 'expected a name, but found `7`'],
    ['7a', 'expected a name, but found `7`'],
    [`${' '.repeat(9)}(${'a'.repeat(30)}`, `\`(${'a'.repeat(19)}\` is not valid here`],
    ['a..b', '`..b` is not valid here'],
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
    ['', 'expected a name, but found nothing'],
    ['a =', '`=` is not valid here'],
    ['a == ', 'expected a name, but found nothing'],
    ['and a', 'expected a name, but found `and`'],
    ['a b', 'expected the end of the expression, but found `b`'],
    ['a | upcase', 'expected the end of the expression, but found `|`'],
    ['(a)', '`(a)` is not valid here'],
    ['a and', 'expected a name, but found nothing'],
    ['not', 'expected a name, but found nothing'],
    ['a < b < c', 'expected the end of the expression, but found `<`'],
    ['a "or" b', 'expected the end of the expression, but found `"or"`'],
    ['a or in', 'expected a name, but found `in`'],
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
    ['', 'expected a name, but found nothing'],
    ['line', 'it must have the form `item in order.items`'],
    ['line of lines', 'it must have the form `item in order.items`'],
    ['in in in', 'expected a name, but found `in`'],
    ['a.b in c', 'a.b must not contain a dot'],
    ['a in b c', 'expected the end of the expression, but found `c`'],
    ['a in "b"', 'expected a name, but found `"b"`'],
    ['a "in" b', 'it must have the form `item in order.items`'],
  ])('%s is refused', (source, message) => {
    expect(() => parseRepeat(source)).toThrow(message);
  });
});
