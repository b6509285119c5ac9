export const roles = {
  label: 'Role',
  viewer: { name: 'Viewer', text: 'Reads templates, modules, events and the list of members.' },
  editor: {
    name: 'Editor',
    text: 'Also creates, changes and deletes templates and modules, and publishes templates.',
  },
  admin: {
    name: 'Admin',
    text: 'Also manages webhooks, environments, API keys and members, and reads the audit log.',
  },
  owner: {
    name: 'Owner',
    text: 'Also renames and deletes the workspace, and appoints other owners.',
  },
};
