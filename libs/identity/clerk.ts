import { DomainError } from '#errors';
import type { UserChange } from './users.js';

// As long as a subject, and more than a name or address needs.
const MAX_LENGTH = 255;
// PostgreSQL knows later years, JavaScript earlier ones; no change is made in either.
const LATEST = Date.parse('9999-12-31T23:59:59Z');

const KINDS = ['user.created', 'user.updated', 'user.deleted'];

/**
 * Reads a message of Clerk's shape, `{type, timestamp, data}`. Gives undefined for a kind that says
 * nothing of a user.
 * @throws DomainError `invalid` when a message of a known kind has the wrong shape.
 */
export function readClerkMessage(message: unknown, issuer: string): UserChange | undefined {
  if (!isRecord(message) || typeof message['type'] !== 'string') {
    throw DomainError.invalid('type', 'type must be a string');
  }
  const { type, timestamp, data } = message;
  if (!KINDS.includes(type)) return undefined;
  if (!isRecord(data)) throw DomainError.invalid('data', 'data must be an object');
  const subject = data['id'];
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_LENGTH) {
    throw DomainError.invalid('data.id', `data.id must be 1 to ${MAX_LENGTH} characters long`);
  }
  const deleted = type === 'user.deleted';
  // A deletion wins over whatever is stored, so that its time does not matter.
  const occurredAt = deleted ? new Date() : milliseconds(data['updated_at'] ?? timestamp);
  if (deleted) {
    return {
      issuer,
      subject,
      status: 'deleted',
      occurredAt,
      email: '',
      firstName: '',
      lastName: '',
    };
  }
  return {
    issuer,
    subject,
    status: data['banned'] === true ? 'deactivated' : 'active',
    occurredAt,
    email: primaryEmail(data),
    firstName: text(data, 'first_name'),
    lastName: text(data, 'last_name'),
  };
}

/** A user may have no primary address (it is null then); the first one stands in for it. */
function primaryEmail(data: Record<string, unknown>): string {
  const addresses = data['email_addresses'] ?? [];
  if (!Array.isArray(addresses) || !addresses.every(isRecord)) {
    throw DomainError.invalid(
      'data.email_addresses',
      'data.email_addresses must be a list of objects',
    );
  }
  const primary = addresses.find(({ id }) => id === data['primary_email_address_id']);
  const address = primary ?? addresses[0];
  return address ? text(address, 'email_address') : '';
}

function text(record: Record<string, unknown>, field: string): string {
  const value = record[field] ?? '';
  if (typeof value !== 'string' || value.length > MAX_LENGTH) {
    throw DomainError.invalid(
      `data.${field}`,
      `${field} must be a text of at most ${MAX_LENGTH} characters`,
    );
  }
  return value;
}

function milliseconds(value: unknown): Date {
  if (typeof value !== 'number' || !(value >= 0 && value <= LATEST)) {
    throw DomainError.invalid('timestamp', 'the time of the change must be given in milliseconds');
  }
  return new Date(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
