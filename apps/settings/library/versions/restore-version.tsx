import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { texts } from '../../texts/index.js';
import { RestoreForm, type RestoreFormProps } from './restore-form.js';

export function RestoreVersion(props: Omit<RestoreFormProps, 'onClose'>) {
  const [isAsking, question] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={question.open}>
        {texts.library.restore}
      </Button>
      <Modal
        opened={isAsking}
        onClose={question.close}
        title={texts.library.restoreQuestion(props.version)}
        centered
      >
        <RestoreForm {...props} onClose={question.close} />
      </Modal>
    </>
  );
}
