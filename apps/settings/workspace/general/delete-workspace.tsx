import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { texts } from '../../texts/index.js';
import { DeleteWorkspaceModal } from './delete-workspace-modal.js';
import { Section } from './section.js';
import type { ReadWorkspace } from './use-read-workspace.js';

export function DeleteWorkspace({ read }: { read: ReadWorkspace }) {
  const [isAsking, question] = useDisclosure();
  return (
    <Section
      title={texts.workspace.delete}
      text={texts.workspace.deleteText}
      action={
        <Button variant="outline" color="red" onClick={question.open}>
          {texts.workspace.delete}
        </Button>
      }
    >
      <DeleteWorkspaceModal read={read} opened={isAsking} onClose={question.close} />
    </Section>
  );
}
