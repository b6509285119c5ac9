/** The issuers of users that Galley creates itself begin with this prefix. No token may name such an issuer. */
export const INTERNAL_ISSUER_PREFIX = 'urn:galley:';

/** The issuer of the users that API keys act as. */
export const API_KEY_ISSUER = `${INTERNAL_ISSUER_PREFIX}key`;

/**
 * The issuer of placeholder users for invited email addresses. These users are members like any other, so the routes
 * for members can also change the role of an invitation, or withdraw the invitation.
 */
export const INVITATION_ISSUER = `${INTERNAL_ISSUER_PREFIX}invitation`;
