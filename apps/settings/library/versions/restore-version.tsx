import { GalleyError, type RestoredModules } from '#client';
import { Alert, Button, Group, List, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { useDocumentId, useKind } from '../kinds.js';
import { libraryTexts } from '../texts.js';
import { useAuthors, useRefreshDocument, useVersions, type ReadDocument } from '../use-document.js';
import { VersionLink } from '../version-parts.js';
import { words } from './texts.js';

export function RestoreVersion(props: Omit<RestoreFormProps, 'onClose'>) {
  const [isAsking, question] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={question.open}>
        {words.restore}
      </Button>
      <Modal
        opened={isAsking}
        onClose={question.close}
        title={words.restoreQuestion(props.version)}
        centered
      >
        <RestoreForm {...props} onClose={question.close} />
      </Modal>
    </>
  );
}

interface RestoreFormProps {
  version: number;
  refersToModules: boolean;
  /** The current template or module, which may change while the dialog is open. */
  read: ReadDocument;
  onClose: () => void;
}

function RestoreForm({ version, refersToModules, read, onClose }: RestoreFormProps) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const { name: kind, section, restoreVersion } = useKind();
  const id = useDocumentId();
  const navigate = useNavigate();
  // The document as the user saw it. After a conflict, the user's next attempt uses the current document.
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
      notifications.show({ message: words.restored(version, restored.version) });
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
        <Text size="sm">{words.restoreText(version, seen.document.version + 1, kind)}</Text>
      )}
      {refersToModules && (
        <Radio.Group
          label={words.restoredModules.label}
          value={modules}
          onChange={(value) => setModules(value)}
        >
          <Stack gap="sm" mt="xs">
            {(['as-then', 'as-now'] as const).map((value) => (
              <Radio key={value} value={value} {...words.restoredModules[value]} />
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
          {isStale ? words.restoreAnyway : words.restoreAction}
        </Button>
      </Group>
    </Stack>
  );
}

/** Explains a conflict: lists the versions that are newer than the version that the user saw. */
function RestoreConflict({ seenVersion }: { seenVersion: number }) {
  const { name: kind } = useKind();
  const { data: versions = [] } = useVersions();
  const authorOf = useAuthors();
  const newer = versions.filter(({ version }) => version > seenVersion);
  const latest = newer[0]?.version ?? seenVersion;
  return (
    <Alert color="yellow" title={words.conflictTitle(libraryTexts.kinds[kind])} role="alert">
      <Stack gap="xs">
        <Text size="sm">{words.conflictText(seenVersion, latest)}</Text>
        <List size="sm">
          {newer.map(({ version, createdBy, createdAt }) => (
            <List.Item key={version}>
              <VersionLink version={version} target="_blank" size="sm">
                {words.conflictVersion(version, authorOf(createdBy))}
              </VersionLink>
              , <RelativeTime time={createdAt} inline />
            </List.Item>
          ))}
        </List>
        <Text size="sm">{words.conflictAdvice}</Text>
      </Stack>
    </Alert>
  );
}
