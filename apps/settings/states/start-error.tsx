import { Alert, Button, Center, Stack } from '@mantine/core';
import { texts } from '../texts/index.js';

/** Shown instead of the whole page if the settings area cannot start. */
export function StartError({ error }: { error: unknown }) {
  return (
    <Center mih="100vh" p="md">
      <Stack maw={480}>
        <Alert color="red" title={texts.common.startErrorTitle}>
          {error instanceof Error ? error.message : String(error)}
        </Alert>
        <Button variant="default" component="a" href={import.meta.env.BASE_URL}>
          {texts.common.retry}
        </Button>
      </Stack>
    </Center>
  );
}
