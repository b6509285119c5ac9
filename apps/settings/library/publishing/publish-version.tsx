import { Button, Modal, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Ref } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { publishing as words } from '../../texts/library/publishing.js';
import { useDocument } from '../kinds/use-document.js';
import { usePublished } from './publication-queries.js';
import { PublishForm } from './publish-form.js';

interface PublishVersionProps extends ButtonProps {
  /** The version that the form begins with; the latest one by default. */
  version?: number;
  /** By default the first environment, which is `production`. */
  environment?: string;
  children: string;
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** The button that opens the form for publishing a version. Only editors see it. */
export function PublishVersion({ version, environment, ...props }: PublishVersionProps) {
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const { data: states } = usePublished();
  const latestVersion = useDocument().data?.document.version;
  const [first] = states ?? [];
  if (!isEditor || first === undefined || latestVersion === undefined) return null;
  return (
    <>
      <Button {...props} onClick={dialog.open} />
      <Modal opened={isOpen} onClose={dialog.close} title={words.publishTitle} centered>
        <PublishForm
          version={version ?? latestVersion}
          environment={environment ?? first.environment}
          latestVersion={latestVersion}
          states={states ?? []}
          onClose={dialog.close}
        />
      </Modal>
    </>
  );
}
