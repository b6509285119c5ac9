import { DomainError } from '#errors';

// As long as a subject, and more than a name or address needs.
const MAX_LENGTH = 255;
// Of a clock that is ahead. What claims to be of a later time would outlast all that is true after it.
const AHEAD_MS = 24 * 60 * 60_000;

/**
 * Reads what a provider has sent: the fields of an object, and where it is for whoever has to mend it.
 * All methods throw DomainError `invalid` for a value of the wrong kind.
 */
export class Fields {
  private readonly record: Record<string, unknown>;

  constructor(
    value: unknown,
    private readonly path = '',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw DomainError.invalid(path, `${path || 'the message'} must be an object`);
    }
    this.record = value as Record<string, unknown>;
  }

  has(name: string): boolean {
    return (this.record[name] ?? undefined) !== undefined;
  }

  object(name: string): Fields {
    return new Fields(this.record[name], this.pathOf(name));
  }

  objects(name: string): Fields[] {
    const list = this.record[name] ?? [];
    if (!Array.isArray(list)) throw this.wrong(name, 'must be a list of objects');
    return list.map((value) => new Fields(value, this.pathOf(name)));
  }

  /** A text that names something. */
  id(name: string): string {
    const value = this.record[name];
    const isUsable = typeof value === 'string' && value !== '' && value === storable(value);
    if (!isUsable || value.length > MAX_LENGTH) {
      throw this.wrong(name, `must be a text of 1 to ${MAX_LENGTH} characters`);
    }
    return value;
  }

  /**
   * Empty when it is missing or null. What is too long is cut, and what cannot be stored left out: a
   * name is no reason to refuse a message that shuts somebody out.
   */
  text(name: string): string {
    const value = this.record[name] ?? '';
    if (typeof value !== 'string') throw this.wrong(name, 'must be a text');
    return Array.from(storable(value.slice(0, 2 * MAX_LENGTH)))
      .slice(0, MAX_LENGTH)
      .join('');
  }

  /** Empty as well when it is none: a part of an address would be somebody else's. */
  email(name: string): string {
    const value = this.record[name] ?? '';
    if (typeof value !== 'string') throw this.wrong(name, 'must be a text');
    const isUsable = value.length <= MAX_LENGTH && value.includes('@') && value === storable(value);
    return isUsable ? value : '';
  }

  /** False when it is missing or null. */
  flag(name: string): boolean {
    const value = this.record[name] ?? false;
    if (value === 'true' || value === 'false') return value === 'true';
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be true or false');
    return value;
  }

  /** In milliseconds since 1970, or ISO 8601, in UTC where it names no zone. */
  time(name: string): Date {
    const value = this.record[name];
    const milliseconds = typeof value === 'string' ? millisecondsOf(value) : value;
    if (
      typeof milliseconds !== 'number' ||
      !(milliseconds >= 0 && milliseconds <= Date.now() + AHEAD_MS)
    ) {
      throw this.wrong(name, 'must be a time, and not one to come');
    }
    return new Date(milliseconds);
  }

  private wrong(name: string, problem: string): DomainError {
    return DomainError.invalid(this.pathOf(name), `${this.pathOf(name)} ${problem}`);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

const millisecondsOf = (text: string): number => {
  const [, day = '', time = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return Date.parse(`${day}T${time}${zone}`);
};
