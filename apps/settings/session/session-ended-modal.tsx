import { Button, Group, Modal, Text } from '@mantine/core';
import { useAuth } from 'react-oidc-context';
import { texts } from '../texts.js';
import { signIn } from './sign-in.js';

/**
 * A dialog over the page. The page stays visible, so that the user sees that nothing is lost. Drafts survive a new
 * sign-in.
 */
export function SessionEndedModal() {
  const auth = useAuth();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      title={texts.session.endedTitle}
      centered
    >
      <Text size="sm">{texts.session.endedText}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={() => void signIn(auth)} data-autofocus>
          {texts.session.signInAgain}
        </Button>
      </Group>
    </Modal>
  );
}
