/*
 * Sends emails through the operator's SMTP server. The callers decide what an email contains, and who may send it to
 * whom.
 */
export { MailModule } from './mail.module.js';
export { Mailer, type SentEmail } from './mailer.js';
