import { Modal } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { CreateWorkspaceForm } from './create-workspace-form.js';

export function CreateWorkspaceModal(props: { opened: boolean; onClose: () => void }) {
  return (
    <Modal {...props} title={texts.start.create} centered>
      <CreateWorkspaceForm onCancel={props.onClose} />
    </Modal>
  );
}
