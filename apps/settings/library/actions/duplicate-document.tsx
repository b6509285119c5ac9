import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isRoleAtLeast } from '../../api/values.js';
import { useWorkspaces } from '../../api/workspaces.js';
import { texts } from '../../texts/index.js';
import { DuplicateForm } from './duplicate-form.js';

/** Copies a document into a workspace in which the reader is at least an editor. */
export function DuplicateDocument({ name }: { name: string }) {
  const { data: workspaces } = useWorkspaces();
  const [isOpen, dialog] = useDisclosure();
  const targets = (workspaces?.data ?? []).filter((workspace) =>
    isRoleAtLeast(workspace.role, 'editor'),
  );
  if (targets.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {texts.library.duplicate}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={texts.library.duplicateTitle(name)}
        centered
      >
        <DuplicateForm name={name} targets={targets} onClose={dialog.close} />
      </Modal>
    </>
  );
}
