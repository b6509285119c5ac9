import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import type { useTagChange } from '../tag-queries.js';
import { words } from './texts.js';

interface TagChangeModalProps {
  opened: boolean;
  title: string;
  state: ReturnType<typeof useTagChange>;
  /** The label of the submit button: a verb. */
  action: string;
  isDangerous?: boolean;
  onSubmit: (event?: SyntheticEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog for changing a tag in all templates and modules. It shows the progress while the change is running. */
export function TagChangeModal(props: TagChangeModalProps) {
  const { opened, title, state, action, isDangerous, onSubmit, onClose, children } = props;
  const { change, changed, stop } = state;
  const { isPending, error } = change;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      // Only the stop button can stop a change that is running.
      closeOnClickOutside={!isPending}
      closeOnEscape={!isPending}
      withCloseButton={!isPending}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {children}
          <Text size="sm">{words.changeEvents}</Text>
          <div role="status">
            {isPending && (
              <>
                <Text size="sm" mb={4}>
                  {words.progress(changed)}
                </Text>
                <Progress value={100} striped animated aria-label={words.progressLabel} />
              </>
            )}
          </div>
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={isPending ? stop : onClose}>
              {isPending ? words.stop : texts.common.cancel}
            </Button>
            <Button type="submit" loading={isPending} {...(isDangerous && { color: 'red' })}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
