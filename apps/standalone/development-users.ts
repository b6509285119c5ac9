const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** The user whom an e-mail address names; undefined for what is no address. */
export const subjectOf = (email: string): string | undefined =>
  ADDRESS.test(email) ? email.toLowerCase() : undefined;

/** ada.lovelace+test@example.com is Ada Lovelace. */
export function claimsOf(email: string) {
  const [local = ''] = email.split(/[@+]/);
  const [given = '', ...family] = local
    .split(/[._-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { email, email_verified: true, given_name: given, family_name: family.join(' ') };
}
