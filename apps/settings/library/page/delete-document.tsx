import { GalleyError } from '#client';
import { Button, Checkbox, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { LinkAnchor } from '../../controls/links.js';
import { texts } from '../../texts.js';
import { useKind } from '../kinds.js';
import { libraryTexts } from '../texts.js';
import { useModuleUsages } from '../usages/usage-queries.js';
import { UsageSummary } from '../usages/usage-summary.js';
import { useRefreshDocument, type ReadDocument } from '../use-document.js';
import { words } from './texts.js';

export function DeleteDocument({ read }: { read: ReadDocument }) {
  const { name: kind } = useKind();
  const { name, workspaceId } = read.document;
  const isEditor = useHasRole('editor');
  const [isAsking, question] = useDisclosure();
  const [isForced, setForced] = useState(false);
  const usages = useModuleUsages({ isEnabled: isAsking && kind === 'module' });
  const deletion = useDeletion(read);
  if (!isEditor) return null;
  const code = deletion.error instanceof GalleyError ? deletion.error.code : undefined;
  // The API also counts usages in workspaces that the user cannot access. It may therefore report `in_use` even though
  // the list of usages is empty.
  const isUsed = (usages.data ?? []).length > 0 || code === 'in_use';
  return (
    <>
      <Button variant="outline" color="red" onClick={question.open}>
        {texts.common.delete}
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={words.deleteQuestion(name)}
        text={
          <Stack gap="md">
            {kind === 'module' && <UsageSummary usages={usages} />}
            <div>
              {words.deleteText(libraryTexts.kinds[kind])} {words.deleteTrashText.before}
              <LinkAnchor
                to="/w/$workspaceId/trash"
                params={{ workspaceId }}
                inherit
                underline="always"
              >
                {words.deleteTrashText.trash}
              </LinkAnchor>
              {words.deleteTrashText.after} {words.deleteEvent(kind)}
            </div>
            {isUsed && (
              <Checkbox
                label={words.deleteUsed}
                checked={isForced}
                onChange={({ currentTarget }) => setForced(currentTarget.checked)}
              />
            )}
          </Stack>
        }
        action={texts.common.delete}
        isDangerous
        isDisabled={usages.isLoading || (isUsed && !isForced)}
        isPending={deletion.isPending}
        error={
          code === 'stale' ? new Error(words.deleteStale(libraryTexts.kinds[kind])) : deletion.error
        }
        onConfirm={() => deletion.mutate({ force: isUsed && isForced })}
        onClose={() => {
          question.close();
          setForced(false);
          deletion.reset();
        }}
      />
    </>
  );
}

function useDeletion({ document: { id, name }, etag }: ReadDocument) {
  const client = useClient();
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const { section, remove } = useKind();
  const refresh = useRefreshDocument();
  return useMutation({
    mutationFn: ({ force }: { force: boolean }) => {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      return remove({ client, path: { id }, headers, ...(force && { query: { force } }) });
    },
    onSuccess: async () => {
      notifications.show({ message: words.deleted(name) });
      void navigate({ to: `/w/$workspaceId/${section}`, params: { workspaceId } });
      await queryClient.invalidateQueries({ queryKey: [section] });
    },
    onError: refresh,
  });
}
