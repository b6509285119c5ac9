/*
 * Shows approximately how mail clients change the HTML of an email. Runs on the HTML that Galley has generated, in which
 * all attributes have double quotes.
 */
export { approximate } from './approximate.js';
export { mailClients, type MailClient } from './mail-clients.js';
