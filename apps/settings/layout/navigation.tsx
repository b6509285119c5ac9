import { NavLink, Text } from '@mantine/core';
import {
  IconBook,
  IconChecklist,
  IconComponents,
  IconHistory,
  IconKey,
  IconList,
  IconMail,
  IconSearch,
  IconSettings,
  IconStack2,
  IconTag,
  IconTrash,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useHasRole, useWorkspaceId } from '../api/workspaces.js';
import { LinkNav } from '../controls/links.js';
import { texts } from '../texts.js';
import classes from './layout.module.css';

const { navigation } = texts;
const GROUPS = [
  {
    label: navigation.groups.deliver,
    items: [
      {
        to: '/w/$workspaceId/webhooks',
        label: navigation.webhooks,
        icon: IconWebhook,
        needsAdmin: true,
      },
      { to: '/w/$workspaceId/events', label: navigation.events, icon: IconList },
    ],
  },
  {
    label: navigation.groups.library,
    items: [
      { to: '/w/$workspaceId/search', label: navigation.search, icon: IconSearch },
      { to: '/w/$workspaceId/templates', label: navigation.templates, icon: IconMail },
      { to: '/w/$workspaceId/modules', label: navigation.modules, icon: IconComponents },
      { to: '/w/$workspaceId/tags', label: navigation.tags, icon: IconTag },
      { to: '/w/$workspaceId/trash', label: navigation.trash, icon: IconTrash },
    ],
  },
  {
    label: navigation.groups.manage,
    items: [
      {
        to: '/w/$workspaceId/environments',
        label: navigation.environments,
        icon: IconStack2,
      },
      { to: '/w/$workspaceId/checks', label: navigation.checks, icon: IconChecklist },
      { to: '/w/$workspaceId/members', label: navigation.members, icon: IconUsers },
      {
        to: '/w/$workspaceId/api-keys',
        label: navigation.apiKeys,
        icon: IconKey,
        needsAdmin: true,
      },
      {
        to: '/w/$workspaceId/audit-log',
        label: navigation.auditLog,
        icon: IconHistory,
        needsAdmin: true,
      },
      { to: '/w/$workspaceId/workspace', label: navigation.workspace, icon: IconSettings },
    ],
  },
] as const;

// Mantine highlights a link with this attribute as the current page.
const ACTIVE = { 'data-active': true };

/** Leaves out links to views that require a higher role than the user has. */
export function Navigation() {
  const workspaceId = useWorkspaceId();
  const isAdmin = useHasRole('admin');
  return (
    <div>
      {GROUPS.map(({ label, items }) => {
        const visibleItems = items.filter((item) => isAdmin || !('needsAdmin' in item));
        return (
          <div key={label}>
            <Text size="xs" c="dimmed" fw={600} className={classes['group']}>
              {label}
            </Text>
            {visibleItems.map(({ to, label: itemLabel, icon: Icon }) => (
              <LinkNav
                key={itemLabel}
                to={to}
                params={{ workspaceId }}
                label={itemLabel}
                leftSection={<Icon size={18} stroke={1.6} />}
                activeProps={ACTIVE}
                className={classes['link']}
              />
            ))}
          </div>
        );
      })}
      <Text size="xs" c="dimmed" fw={600} className={classes['group']}>
        {navigation.groups.help}
      </Text>
      <NavLink
        className={classes['link']}
        href="/docs"
        label={navigation.apiReference}
        leftSection={<IconBook size={18} stroke={1.6} />}
      />
    </div>
  );
}
