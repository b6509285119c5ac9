import { type CreatedApiKey } from '#client';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { apiKeys as words } from '../../texts/api-keys.js';
import { CreateKeyForm } from './create-key-form.js';
import { CreatedKey } from './created-key.js';

interface CreateKeyModalProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateKeyModal({ opened, onClose }: CreateKeyModalProps) {
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={created ? words.createdTitle(created.name) : words.createTitle}
      centered
      size="lg"
      // The key is shown only once, so a stray click or key press must not close the dialog.
      closeOnClickOutside={created === undefined}
      closeOnEscape={created === undefined}
      withCloseButton={created === undefined}
      onExitTransitionEnd={() => setCreated(undefined)}
    >
      {created ? (
        <CreatedKey created={created} onClose={onClose} />
      ) : (
        <CreateKeyForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}
