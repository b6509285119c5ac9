import { Alert, Button, Group } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { Draft } from './use-draft.js';

/** Says that the form was filled from a draft, and offers to discard the draft. */
export function DraftNotice({ draft }: { draft: Draft }) {
  if (!draft.isRestored) return null;
  return (
    <Alert variant="light" color="blue" py="xs" mb="md" role="status">
      <Group justify="space-between" gap="sm" c="var(--mantine-color-text)">
        <span>{texts.session.draftRestored}</span>
        <Button size="xs" variant="default" onClick={draft.discard}>
          {texts.session.discardDraft}
        </Button>
      </Group>
    </Alert>
  );
}
