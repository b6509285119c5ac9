import { Alert, Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { texts } from '../texts.js';

const keepAll = <Values,>(values: Values): Values => values;

interface Draft {
  /** Whether the form was filled from a draft when it opened. */
  isRestored: boolean;
  /** Deletes the draft. Call this after the form is saved or cancelled. */
  forget: () => void;
  /** Deletes the draft, and resets the form to its initial values. */
  discard: () => void;
}

/**
 * Stores the unsaved values of a form as a draft. The draft survives a reload and the redirects of a new sign-in, and
 * is lost when the tab is closed.
 *
 * @param key names the form and its resource, such as `webhook-new:<workspace id>`.
 * @param toDraft removes values that the browser must not store, such as credentials.
 */
export function useDraft<Values extends Record<string, unknown>>(
  key: string,
  form: UseFormReturnType<Values>,
  toDraft: (values: Values) => Partial<Values> = keepAll,
): Draft {
  const storageKey = `galley-draft:${key}`;
  const [isRestored, setRestored] = useState(() => readDraft(storageKey) !== null);
  useEffect(() => {
    const draft = readDraft(storageKey);
    if (draft !== null) form.setValues(JSON.parse(draft) as Partial<Values>);
    // Runs only when the form opens. `form` is not a dependency, because it changes on every keystroke.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [storageKey]);
  const values = form.getValues();
  const isDirty = form.isDirty();
  useEffect(() => {
    if (isDirty) window.sessionStorage.setItem(storageKey, JSON.stringify(toDraft(values)));
  }, [storageKey, isDirty, values, toDraft]);
  const forget = () => {
    window.sessionStorage.removeItem(storageKey);
    setRestored(false);
  };
  const discard = () => {
    forget();
    form.reset();
    // The discard button disappears, so the focus moves to the first field.
    const [firstField = ''] = Object.keys(values);
    form.getInputNode(firstField)?.focus();
  };
  return { isRestored, forget, discard };
}

const readDraft = (storageKey: string): string | null => window.sessionStorage.getItem(storageKey);

/** Tells the user that the form was filled from a draft, and offers to discard the draft. */
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
