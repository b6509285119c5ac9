export const words = {
  title: 'Workspaces',
  listLabel: 'Your workspaces',
  intro:
    'Templates, modules, webhooks and members belong to a workspace. Choose a workspace to open.',
  created: (name: string) => `You are the owner of “${name}”.`,
  nameLabel: 'Name',
  nameHint: 'For example, the name of your team or product. You can change it later.',
  namePlaceholder: 'Marketing',
  changed: 'Changed',
  firstTitle: 'Welcome to Galley',
  firstText:
    'A workspace holds your email templates and modules, and the webhooks that report changes to them. Create your first workspace to begin.',
  invitedTitle: 'Did you expect an invitation?',
  invitedText: (email: string) =>
    `You are signed in as ${email}. Invitations are tied to an email address. Ask an admin of the workspace to invite exactly this address. If they invited another address of yours, sign out, then sign in with that address.`,
  invitedTextWithoutEmail:
    'Invitations are tied to an email address, and your identity provider did not supply yours. Ask the people who run Galley for help.',
  checkAgain: 'Check again',
};
