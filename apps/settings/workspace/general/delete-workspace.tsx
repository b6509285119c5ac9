import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { workspace as words } from '../../texts/workspace.js';
import { DeleteWorkspaceModal } from './delete-workspace-modal.js';
import { Section } from './section.js';
import type { ReadWorkspace } from './use-read-workspace.js';

export function DeleteWorkspace({ read }: { read: ReadWorkspace }) {
  const [isAsking, question] = useDisclosure();
  return (
    <Section
      title={words.delete}
      text={words.deleteText}
      action={
        <Button variant="outline" color="red" onClick={question.open}>
          {words.delete}
        </Button>
      }
    >
      <DeleteWorkspaceModal read={read} opened={isAsking} onClose={question.close} />
    </Section>
  );
}
