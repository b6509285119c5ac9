import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { tags as words } from '../../texts/library/tags.js';
import { RemoveTag } from './remove-tag.js';
import { RenameTag } from './rename-tag.js';

export function TagActions({ name }: { name: string }) {
  const [dialog, setDialog] = useState<'rename' | 'removal'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end" width={160}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.actionsFor(name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('removal')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameTag name={name} opened={dialog === 'rename'} onClose={close} />
      <RemoveTag name={name} opened={dialog === 'removal'} onClose={close} />
    </>
  );
}
