import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import { ErrorAlert } from './states.js';

interface ConfirmModalProps {
  opened: boolean;
  title: string;
  /** Says what the action does, and which effects cannot be undone. */
  text: ReactNode;
  /** The label of the confirm button: a verb, such as "Delete". */
  action: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  /** Called after the dialog has closed and returned the focus to the button that opened the dialog. */
  onClosed?: () => void;
}

export function ConfirmModal(props: ConfirmModalProps) {
  const { opened, title, text, action, isDangerous, isPending, error, onConfirm, onClose } = props;
  const { isDisabled = false, onClosed } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
      title={title}
      centered
    >
      <Text size="sm" component="div">
        {text}
      </Text>
      {error && <ErrorAlert error={error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        <Button
          {...(isDangerous && { color: 'red' })}
          disabled={isDisabled}
          loading={isPending}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
