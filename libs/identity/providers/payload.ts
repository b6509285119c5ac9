import { DomainError } from '#errors';

// The maximum length of a subject, a name and an email address, in characters. Usual values are shorter.
const MAX_LENGTH = 255;
// The tolerance for provider clocks that are ahead. After a message with a future time, Galley would ignore later messages as outdated.
const MAX_CLOCK_SKEW_MS = 24 * 60 * 60_000;

/**
 * Reads the fields of an object that a provider has sent. Errors contain the path of the field. All methods except
 * `has` throw DomainError `invalid` for a value of the wrong type.
 */
export class Payload {
  private readonly properties: Record<string, unknown>;

  constructor(
    value: unknown,
    private readonly path = '',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw DomainError.invalid(path, `${path || 'the message'} must be an object`);
    }
    this.properties = value as Record<string, unknown>;
  }

  has(name: string): boolean {
    return (this.properties[name] ?? undefined) !== undefined;
  }

  object(name: string): Payload {
    return new Payload(this.properties[name], this.pathOf(name));
  }

  objects(name: string): Payload[] {
    const list = this.properties[name] ?? [];
    if (!Array.isArray(list)) throw this.invalid(name, 'must be a list of objects');
    return list.map((value) => new Payload(value, this.pathOf(name)));
  }

  /** Reads a non-empty string, such as an id or the type of a message. */
  id(name: string): string {
    const value = this.properties[name];
    const isValid = typeof value === 'string' && value !== '' && value === toStorable(value);
    if (!isValid || value.length > MAX_LENGTH) {
      throw this.invalid(name, `must be a string of 1 to ${MAX_LENGTH} characters`);
    }
    return value;
  }

  /**
   * Reads a string, which is empty if the field is missing or null. A string that is too long is truncated, and
   * characters that PostgreSQL cannot store are removed: a malformed name must not make Galley refuse a message,
   * because the message may deactivate a user.
   */
  text(name: string): string {
    const value = this.properties[name] ?? '';
    if (typeof value !== 'string') throw this.invalid(name, 'must be a string');
    return Array.from(toStorable(value.slice(0, 2 * MAX_LENGTH)))
      .slice(0, MAX_LENGTH)
      .join('');
  }

  /**
   * Reads an email address, which is empty if the field is missing or null, or if the address is malformed or too long.
   * A long address is not truncated, because the result could be the address of another person.
   */
  email(name: string): string {
    const value = this.properties[name] ?? '';
    if (typeof value !== 'string') throw this.invalid(name, 'must be a string');
    const isValid =
      value.length <= MAX_LENGTH && value.includes('@') && value === toStorable(value);
    return isValid ? value : '';
  }

  /** Reads a boolean, which is false if the field is missing or null. */
  flag(name: string): boolean {
    const value = this.properties[name] ?? false;
    if (value === 'true' || value === 'false') return value === 'true';
    if (typeof value !== 'boolean') throw this.invalid(name, 'must be true or false');
    return value;
  }

  /** Reads a time in milliseconds since 1970 or in ISO 8601. An ISO 8601 time without a zone is in UTC. */
  time(name: string): Date {
    const value = this.properties[name];
    const milliseconds = typeof value === 'string' ? parseMilliseconds(value) : value;
    if (
      typeof milliseconds !== 'number' ||
      !(milliseconds >= 0 && milliseconds <= Date.now() + MAX_CLOCK_SKEW_MS)
    ) {
      throw this.invalid(name, 'must be a time that is not in the future');
    }
    return new Date(milliseconds);
  }

  private invalid(name: string, problem: string): DomainError {
    return DomainError.invalid(this.pathOf(name), `${this.pathOf(name)} ${problem}`);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** Removes NUL characters and replaces unpaired surrogates, because PostgreSQL cannot store them. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

const parseMilliseconds = (text: string): number => {
  const [, day = '', time = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return Date.parse(`${day}T${time}${zone}`);
};
