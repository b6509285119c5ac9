import type { RestoredDocument, TrashedDocument } from '#client';
import { Alert, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { LinkAnchor } from '../../controls/links.js';
import { ErrorAlert } from '../../controls/states.js';
import { trash } from '../../texts/library/trash.js';
import { isGone } from './trash-queries.js';

interface RestoreResultProps {
  /** The document that the reader restored last. */
  document: TrashedDocument;
  restored: RestoredDocument | undefined;
  error: Error | null;
}

export function RestoreResult({ document: { id, name }, restored, error }: RestoreResultProps) {
  if (error && !isGone(error)) return <ErrorAlert error={error} />;
  if (error) {
    return (
      <FocusedAlert key={id} color="yellow" title={trash.goneTitle(name)}>
        {trash.goneText}
      </FocusedAlert>
    );
  }
  if (restored === undefined) return null;
  const { workspaceId, kind } = restored;
  return (
    <FocusedAlert key={id} title={trash.restoredTitle(restored.name)}>
      <Text size="sm">{trash.restoredText}</Text>
      <LinkAnchor
        to={`/w/$workspaceId/${kind}s/$documentId`}
        params={{ workspaceId, documentId: id }}
        size="sm"
        fw={600}
      >
        {trash.open(restored.name)}
      </LinkAnchor>
    </FocusedAlert>
  );
}

interface FocusedAlertProps {
  color?: string;
  title: string;
  children: ReactNode;
}

/** Takes the keyboard focus from the button, which disappears with its row. */
function FocusedAlert({ children, ...props }: FocusedAlertProps) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} tabIndex={-1} role="status" mb="md" {...props}>
      {children}
    </Alert>
  );
}
