import { readFile } from 'node:fs/promises';
import { hasErrorCode } from '../../ports.js';
import { writeAtomically } from '../../write-atomically.js';

export interface DevelopmentUser {
  /** The `sub` of the user's tokens. Galley identifies the user by the subject, which therefore never changes. */
  subject: string;
  email: string;
  firstName: string;
  lastName: string;
  /** All times are in milliseconds. */
  createdAt: number;
  updatedAt: number;
  isDeleted: boolean;
  /** The `updatedAt` of the latest state that Galley has received; undefined if Galley has received none yet. */
  reportedAt?: number;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/**
 * The users of the development provider. A user is created on the first sign-in or the first request for a token.
 * Without a file, the users are lost when the process ends.
 */
export class DevelopmentUsers {
  readonly #bySubject: Map<string, DevelopmentUser>;
  readonly #file: string | undefined;
  #lastSave: Promise<void> = Promise.resolve();
  #onChange: (user: DevelopmentUser) => void = () => undefined;

  private constructor(users: DevelopmentUser[], file: string | undefined) {
    this.#bySubject = new Map(users.map((user) => [user.subject, user]));
    this.#file = file;
  }

  static async load(file?: string): Promise<DevelopmentUsers> {
    return new DevelopmentUsers(file === undefined ? [] : await readUsers(file), file);
  }

  /**
   * Calls `listener` after each change to a user, and immediately for each user whose latest change Galley has not
   * received.
   */
  onChange(listener: (user: DevelopmentUser) => void): void {
    this.#onChange = listener;
    for (const user of this.#bySubject.values()) {
      if (isUnreported(user)) listener(user);
    }
  }

  /** Returns the user with this subject; undefined if there is none, or if the user was deleted. */
  find(subject: string | undefined): DevelopmentUser | undefined {
    const user = this.#bySubject.get(subject ?? '');
    return user?.isDeleted === false ? user : undefined;
  }

  /** Finds or creates the user with this email address. Returns undefined if the text is not an email address. */
  async signIn(text: string): Promise<DevelopmentUser | undefined> {
    if (!EMAIL.test(text)) return undefined;
    const email = text.toLowerCase();
    const users = [...this.#bySubject.values()];
    const existing = users.find((user) => user.email === email && !user.isDeleted);
    if (existing !== undefined) return existing;
    const now = Date.now();
    const user = {
      subject: this.#newSubject(email),
      email,
      ...guessName(email),
      createdAt: now,
      updatedAt: now,
      isDeleted: false,
    };
    await this.#change(user);
    return user;
  }

  async rename(
    user: DevelopmentUser,
    names: Pick<DevelopmentUser, 'firstName' | 'lastName'>,
  ): Promise<void> {
    await this.#change(Object.assign(user, names, { updatedAt: nextTime(user) }));
  }

  /**
   * Marks the user as deleted. The entry is kept, so that its subject is never reused: Galley never admits a deleted
   * subject again.
   */
  async delete(user: DevelopmentUser): Promise<void> {
    await this.#change(Object.assign(user, { isDeleted: true, updatedAt: nextTime(user) }));
  }

  /** Records that Galley has received the state that the user had at `reportedAt`. */
  async markReported(user: DevelopmentUser, reportedAt: number): Promise<void> {
    user.reportedAt = reportedAt;
    await this.#save();
  }

  /** Chooses a subject that has never been used: the email address or, if that is taken, `<email>#2`, `<email>#3` … */
  #newSubject(email: string): string {
    let subject = email;
    for (let count = 2; this.#bySubject.has(subject); count++) subject = `${email}#${count}`;
    return subject;
  }

  async #change(user: DevelopmentUser): Promise<void> {
    this.#bySubject.set(user.subject, user);
    await this.#save();
    this.#onChange(user);
  }

  /** Writes run one at a time, because they share a temporary file. */
  async #save(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    const saved = this.#lastSave.then(() =>
      writeAtomically(file, `${JSON.stringify([...this.#bySubject.values()], null, 2)}\n`),
    );
    // A failure reaches the caller, but does not stop the next write.
    this.#lastSave = saved.catch(() => undefined);
    await saved;
  }
}

export const isUnreported = ({ updatedAt, reportedAt }: DevelopmentUser): boolean =>
  reportedAt !== updatedAt;

/** The user's claims in tokens and UserInfo. */
export const claimsOf = ({ email, firstName, lastName }: DevelopmentUser) => ({
  email,
  email_verified: true,
  given_name: firstName,
  family_name: lastName,
});

/** Derives a name from the email address: ada.lovelace+test@example.com becomes Ada Lovelace. */
function guessName(email: string) {
  const [localPart = ''] = email.split(/[@+]/);
  const [firstName = '', ...lastNames] = localPart
    .split(/[._-]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return { firstName, lastName: lastNames.join(' ') };
}

/**
 * A time later than the last change, even if the clock was set back. Galley ignores a message that is not newer than
 * the last one.
 */
const nextTime = ({ updatedAt }: DevelopmentUser): number => Math.max(Date.now(), updatedAt + 1);

async function readUsers(file: string): Promise<DevelopmentUser[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DevelopmentUser[];
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
