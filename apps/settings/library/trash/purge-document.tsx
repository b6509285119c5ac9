import type { TrashedDocument } from '#client';
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrashX } from '@tabler/icons-react';
import { useHasRole } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { trash } from '../../texts/library/trash.js';
import { useTrashActions } from './trash-queries.js';

export function PurgeDocument({ document }: { document: TrashedDocument }) {
  const isAdmin = useHasRole('admin');
  const [isAsking, question] = useDisclosure();
  const { purge } = useTrashActions();
  if (!isAdmin) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="red"
        size="md"
        title={trash.purge}
        aria-label={trash.purgeLabel(document.name)}
        onClick={question.open}
      >
        <IconTrashX size={18} stroke={1.6} />
      </ActionIcon>
      <ConfirmModal
        opened={isAsking}
        title={trash.purgeQuestion(document.name)}
        text={trash.purgeText}
        action={trash.purge}
        isDangerous
        isPending={purge.isPending}
        error={purge.error}
        onConfirm={() => purge.mutate(document)}
        onClose={() => {
          question.close();
          purge.reset();
        }}
      />
    </>
  );
}
