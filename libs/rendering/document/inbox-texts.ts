/** The members of a document that mail clients show in the list of emails, each as a single line. */
export const inboxTexts = ['fromName', 'subject', 'preheader'] as const;
export type InboxText = (typeof inboxTexts)[number];
