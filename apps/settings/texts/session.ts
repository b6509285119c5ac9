export const session = {
  endedTitle: 'Your session has ended',
  endedText: 'Sign in again to go on. What you have typed on this page is kept.',
  draftRestored: 'Draft restored: this is what you typed earlier in this tab.',
  discardDraft: 'Discard draft',
  signInAgain: 'Sign in again',
  signedOutTitle: 'You are signed out',
  signedOutText: 'You can close this page, or sign in again.',
  signIn: 'Sign in',
  signOut: 'Sign out',
};
