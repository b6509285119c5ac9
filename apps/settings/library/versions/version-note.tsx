import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useHasRole } from '../../api/workspaces.js';
import { texts } from '../../texts/index.js';
import { publishing as words } from '../../texts/library/publishing.js';
import type { ListedVersion } from '../kinds/kind.js';
import { PublishVersion } from '../publishing/publish-version.js';
import { LabelForm } from './label-form.js';
import { VersionLabel } from './version-label.js';

const { library } = texts;

/** The label and the note of a version, which editors change, and the button that publishes the version. */
export function VersionNote({ entry }: { entry: ListedVersion }) {
  const { version, label, note } = entry;
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const isEmpty = label === '' && note === '';
  if (isEmpty && !isEditor) return null;
  return (
    <section aria-label={library.labelAndNote}>
      <Group gap="xs">
        {label !== '' && <VersionLabel>{label}</VersionLabel>}
        {isEditor && (
          <Button size="xs" variant="default" onClick={dialog.open}>
            {isEmpty ? library.addLabel : library.editLabel}
          </Button>
        )}
        <PublishVersion version={version} size="xs" variant="default">
          {words.publishVersion}
        </PublishVersion>
      </Group>
      {note !== '' && (
        <Text size="sm" mt={4} style={{ whiteSpace: 'pre-wrap' }}>
          {note}
        </Text>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={library.labelTitle(version)} centered>
        <LabelForm entry={entry} onClose={dialog.close} />
      </Modal>
    </section>
  );
}
