import { Cost, FILTERED, FORMAT, NEW_FORMATTER } from './cost.js';

/** A filter of a merge tag, such as `currency: "EUR"`. */
export interface FilterCall {
  name: string;
  options: (string | number)[];
}

interface Filter {
  minOptions: number;
  maxOptions: number;
  /** @throws RangeError for an option that `Intl` does not know. */
  apply(value: unknown, options: readonly (string | number)[], locale: string, cost: Cost): unknown;
}

const filters: Record<string, Filter> = {
  default: {
    minOptions: 1,
    maxOptions: 1,
    apply: (value, [text]) => (isEmpty(value) ? text : value),
  },
  upcase: textFilter((text, locale) => text.toLocaleUpperCase(locale)),
  downcase: textFilter((text, locale) => text.toLocaleLowerCase(locale)),
  capitalize: textFilter((text, locale) => {
    const [first = ''] = text;
    return first.toLocaleUpperCase(locale) + text.slice(first.length);
  }),
  number: numberFilter(0, 1, ([digits]) =>
    digits === undefined
      ? {}
      : { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) },
  ),
  percent: numberFilter(0, 0, () => ({ style: 'percent', maximumFractionDigits: 2 })),
  currency: numberFilter(1, 1, ([currency]) => ({ style: 'currency', currency: String(currency) })),
  date: dateFilter((dateStyle) => ({ dateStyle })),
  time: dateFilter((timeStyle) => ({ timeStyle }), 'short'),
  datetime: dateFilter((style) => ({ dateStyle: style, timeStyle: 'short' })),
};

export const isFilter = (name: string): boolean => Object.hasOwn(filters, name);

/** @returns the reason why the filter cannot be called with these options; undefined if it can. */
export function checkFilter(name: string, options: FilterCall['options']): string | undefined {
  const filter = filters[name] as Filter;
  const { minOptions, maxOptions } = filter;
  if (options.length < minOptions) return `the filter ${name} needs an option`;
  if (options.length > maxOptions) return `the filter ${name} has too many options`;
  try {
    filter.apply(0, options, 'en', new Cost(false));
  } catch {
    return `the filter ${name} has no option ${options.join(', ')}`;
  }
  return undefined;
}

export const applyFilter = (
  value: unknown,
  { name, options }: FilterCall,
  locale: string,
  cost: Cost,
): unknown => (filters[name] as Filter).apply(value, options, locale, cost);

/** Whether a value in the data counts as missing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '';

function textFilter(change: (text: string, locale: string) => string): Filter {
  return {
    minOptions: 0,
    maxOptions: 0,
    apply(value, _options, locale, cost) {
      if (typeof value !== 'string') return value;
      cost.spend(value.length / FILTERED);
      return change(value, locale);
    },
  };
}

// Longer texts are not parsed as numbers: parsing takes time, and no useful number is that long.
const MAX_LENGTH = 100;

function numberFilter(
  minOptions: number,
  maxOptions: number,
  optionsOf: (options: readonly (string | number)[]) => Intl.NumberFormatOptions,
): Filter {
  const format = cached((locale, ...options) => new Intl.NumberFormat(locale, optionsOf(options)));
  return {
    minOptions,
    maxOptions,
    apply(value, options, locale, cost) {
      const formatter = format(cost, locale, ...options);
      const isNumber = typeof value === 'number' || isShortText(value);
      const number = isNumber ? Number(value) : NaN;
      if (!Number.isFinite(number)) return value;
      const text = formatter.format(number);
      cost.spend(FORMAT + text.length / FILTERED);
      return text;
    },
  };
}

type Style = 'full' | 'long' | 'medium' | 'short';

/** Creates a filter whose options are a style and a time zone. The default time zone is UTC. */
function dateFilter(
  optionsOf: (style: Style) => Intl.DateTimeFormatOptions,
  defaultStyle: Style = 'medium',
): Filter {
  const format = cached((locale, style = defaultStyle, timeZone = 'UTC') => {
    const options = { ...optionsOf(style as Style), timeZone: String(timeZone) };
    return new Intl.DateTimeFormat(locale, options);
  });
  return {
    minOptions: 0,
    maxOptions: 2,
    apply(value, options, locale, cost) {
      const formatter = format(cost, locale, ...options);
      const time = timeOf(value);
      if (Number.isNaN(time)) return value;
      cost.spend(FORMAT);
      return formatter.format(time);
    },
  };
}

// The ISO 8601 formats that are common in data. `Date` alone would also parse `Room 12` as a date.
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Milliseconds since 1970; NaN if the value is not a time. A time without a zone is in UTC. */
function timeOf(value: unknown): number {
  if (typeof value === 'number') return new Date(value).getTime();
  const match = typeof value === 'string' ? ISO_TIME.exec(value.trim()) : null;
  if (match === null) return NaN;
  const [time, zone] = match;
  const isLocal = time.includes('T') && zone === undefined;
  return new Date(isLocal ? `${time}Z` : time).getTime();
}

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_LENGTH && value.trim() !== '';

// Limits the memory of the cache. There are too many combinations of languages, currencies and time zones to keep them
// all.
const MAX_FORMATTERS = 200;

function cached<Formatter>(
  make: (locale: string, ...options: (string | number)[]) => Formatter,
): (cost: Cost, ...parameters: Parameters<typeof make>) => Formatter {
  const formatters = new Map<string, Formatter>();
  return (cost, locale, ...options) => {
    const key = JSON.stringify([locale, options]);
    const existing = formatters.get(key);
    if (existing !== undefined) return existing;
    cost.spend(NEW_FORMATTER);
    const formatter = make(locale, ...options);
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(key, formatter);
    return formatter;
  };
}
