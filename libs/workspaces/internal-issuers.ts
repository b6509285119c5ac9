/** The issuers of users that Galley creates itself. No token may name them. */
export const INTERNAL_ISSUER_PREFIX = 'urn:galley:';

/** The issuer of the users that API keys act as. */
export const API_KEY_ISSUER = `${INTERNAL_ISSUER_PREFIX}key`;

/**
 * The issuer of users that stand for invited email addresses. These users are members like any other,
 * so the routes for members also change the role of an invitation and withdraw it.
 */
export const INVITATION_ISSUER = `${INTERNAL_ISSUER_PREFIX}invitation`;
