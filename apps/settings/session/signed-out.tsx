import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { texts } from '../texts/index.js';

export function SignedOut() {
  return (
    <Center mih="100vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1} size="h3">
          {texts.session.signedOutTitle}
        </Title>
        <Text c="dimmed">{texts.session.signedOutText}</Text>
        <Button component="a" href={import.meta.env.BASE_URL}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </Center>
  );
}
