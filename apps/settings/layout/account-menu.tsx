import {
  ActionIcon,
  Menu,
  Text,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { IconCheck, IconUserCircle } from '@tabler/icons-react';
import { useAuth } from 'react-oidc-context';
import { useVersion } from '../session/session.js';
import { signOut } from '../session/sign-in.js';
import { texts } from '../texts.js';

const COLOR_SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

export function AccountMenu() {
  const auth = useAuth();
  const version = useVersion();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { navigation, session } = texts;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={navigation.account}>
          <IconUserCircle size={22} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" px="sm" py={6}>
          {auth.user?.profile.email}
        </Text>
        <Menu.Divider />
        <Menu.Label>{navigation.colorScheme.label}</Menu.Label>
        {COLOR_SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme && <IconCheck size={16} />}
          >
            {navigation.colorScheme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut(auth)}>{session.signOut}</Menu.Item>
        {version !== undefined && (
          <Text size="xs" c="dimmed" px="sm" py={6}>
            {navigation.version(version)}
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
