import { GalleyError, type RestoredModules } from '#client';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { useDocumentId, useKind } from '../kinds/kind-context.js';
import { useRefreshDocument, type ReadDocument } from '../kinds/use-document.js';
import { RestoreConflict } from './restore-conflict.js';

export interface RestoreFormProps {
  version: number;
  /** Whether the version refers to modules. */
  refersToModules: boolean;
  /** The current template or module, which may change while the dialog is open. */
  read: ReadDocument;
  onClose: () => void;
}

export function RestoreForm({ version, refersToModules, read, onClose }: RestoreFormProps) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const { name: kind, section, restoreVersion } = useKind();
  const id = useDocumentId();
  const navigate = useNavigate();
  // The document as the reader saw it. After a conflict, the reader's next try uses the current document.
  const [seen, setSeen] = useState(read);
  const [modules, setModules] = useState<RestoredModules>('as-then');
  const refresh = useRefreshDocument();
  const restoration = useMutation({
    mutationFn: async ({ etag }: ReadDocument) => {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      const body = refersToModules ? { modules } : {};
      return (await restoreVersion({ client, path: { id, version }, headers, body })).data;
    },
    onSuccess: async (restored) => {
      notifications.show({ message: texts.library.restored(version, restored.version) });
      await refresh();
      const params = { workspaceId, documentId: id };
      await navigate({ to: `/w/$workspaceId/${section}/$documentId`, params });
    },
    // `RestoreConflict` needs the current versions to explain the conflict.
    onError: refresh,
  });
  const { error } = restoration;
  const isStale = error instanceof GalleyError && error.code === 'stale';
  const restore = () => {
    const known = isStale ? read : seen;
    setSeen(known);
    restoration.mutate(known);
  };
  return (
    <Stack gap="md">
      {isStale ? (
        <RestoreConflict seenVersion={seen.document.version} />
      ) : (
        <Text size="sm">{texts.library.restoreText(version, seen.document.version + 1, kind)}</Text>
      )}
      {refersToModules && (
        <Radio.Group
          label={texts.library.restoredModules.label}
          value={modules}
          onChange={(value) => setModules(value)}
        >
          <Stack gap="sm" mt="xs">
            {(['as-then', 'as-now'] as const).map((value) => (
              <Radio key={value} value={value} {...texts.library.restoredModules[value]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {error && !isStale && <ErrorAlert error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        <Button loading={restoration.isPending} onClick={restore} data-autofocus>
          {isStale ? texts.library.restoreAnyway : texts.library.restoreAction}
        </Button>
      </Group>
    </Stack>
  );
}
