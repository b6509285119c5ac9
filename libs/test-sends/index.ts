/*
 * Sends a rendered template to a mailbox, so that a person sees the email in a real mail client. Decides who may send
 * to whom and how often. `libs/rendering` renders the email, and `libs/mail` sends it.
 */
export { TestSends } from './test-sends.js';
export { TestSendsModule } from './test-sends.module.js';
