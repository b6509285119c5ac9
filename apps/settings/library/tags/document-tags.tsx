import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useHasRole } from '../../api/workspaces.js';
import { tags as words } from '../../texts/library/tags.js';
import { useKind } from '../kinds/kind-context.js';
import type { ReadDocument } from '../kinds/use-document.js';
import { TagForm } from './tag-form.js';
import { TagLinks } from './tag-links.js';

/** The tags on the page of a template or module. Editors can change them. */
export function DocumentTags({ read }: { read: ReadDocument }) {
  const { section } = useKind();
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const { name, workspaceId, tags } = read.document;
  return (
    <>
      {tags.length === 0 ? (
        <Text size="sm">{words.none}</Text>
      ) : (
        <TagLinks workspaceId={workspaceId} section={section} tags={tags} />
      )}
      {isEditor && (
        <Button size="xs" variant="default" mt="xs" onClick={dialog.open}>
          {words.edit}
        </Button>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={words.editTitle(name)} centered>
        <TagForm read={read} onClose={dialog.close} />
      </Modal>
    </>
  );
}
