const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** The user with an email address; undefined if the text is not an email address. */
export const subjectOf = (email: string): string | undefined =>
  EMAIL.test(email) ? email.toLowerCase() : undefined;

/** ada.lovelace+test@example.com is Ada Lovelace. */
export function claimsOf(email: string) {
  const [localPart = ''] = email.split(/[@+]/);
  const [givenName = '', ...familyNames] = localPart
    .split(/[._-]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return { email, email_verified: true, given_name: givenName, family_name: familyNames.join(' ') };
}
