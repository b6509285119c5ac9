import { GalleyError, getWebhook, updateWebhook } from '#client';
import { Alert, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { focusFirstProblem, showFieldErrors, useWebhookForm } from '../form/use-webhook-form.js';
import { WebhookFields } from '../form/webhook-fields.js';
import {
  areEqual,
  rebase,
  toRequest,
  toValues,
  withoutHeaderValues,
  type WebhookValues,
} from '../form/webhook-values.js';
import { webhookKeys, type VersionedWebhook } from '../webhook-queries.js';
import { Section } from './section.js';
import { words } from './texts.js';

const { edit } = words;

/** The form of an existing webhook. It shows changes made by other people, and keeps the user's unsaved edits. */
export function EditSection({ current }: { current: VersionedWebhook }) {
  const { webhook } = current;
  const [base, setBase] = useState(() => toValues(webhook));
  const [hasConflict, setHasConflict] = useState(false);
  const form = useWebhookForm(base);
  const draft = useDraft(`webhook:${webhook.id}`, form, withoutHeaderValues);

  const showCurrent = (values: WebhookValues) => {
    setHasConflict(!areEqual(form.values, base));
    form.setInitialValues(values);
    form.setValues(rebase(form.values, base, values));
    form.resetDirty(values);
    setBase(values);
  };
  const latest = toValues(webhook);
  if (!areEqual(latest, base)) showCurrent(latest);

  const save = useSave(current, (saved) => {
    draft.forget();
    const values = toValues(saved.webhook);
    form.setInitialValues(values);
    form.setValues(values);
    setBase(values);
    setHasConflict(false);
  });
  const { error } = save;
  const isFieldError = Object.keys(form.errors).length > 0;
  const submit = form.onSubmit(
    (values) => save.mutate(values, { onError: (each) => showFieldErrors(form, each) }),
    (errors) => focusFirstProblem(form, errors),
  );
  return (
    <Section title={edit.title}>
      <form onSubmit={submit} noValidate>
        <DraftNotice draft={draft} />
        <WebhookFields form={form} />
        {hasConflict && (
          <Alert color="yellow" mt="md" title={edit.conflictTitle} role="alert">
            {edit.conflictText}
          </Alert>
        )}
        {error && !isFieldError && !isStale(error) && <ErrorAlert error={error} />}
        <Group mt="lg">
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {texts.common.save}
          </Button>
          {form.isDirty() && (
            <Button
              variant="default"
              onClick={() => {
                form.setValues(base);
                form.clearErrors();
                draft.forget();
                save.reset();
              }}
            >
              {edit.discard}
            </Button>
          )}
        </Group>
      </form>
    </Section>
  );
}

const isStale = (error: Error): boolean => error instanceof GalleyError && error.statusCode === 412;

/**
 * Saves the form. Galley may change the status of a webhook at any time, which changes the ETag. If a conflict affects
 * no field of the form, the values are sent again with the new ETag.
 */
function useSave(current: VersionedWebhook, onSaved: (saved: VersionedWebhook) => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const path = { id: current.webhook.id };
  const detailKey = webhookKeys.detail(path.id);
  const put = async (values: WebhookValues, etag: string): Promise<VersionedWebhook> => {
    const { data, response } = await updateWebhook({
      client,
      path,
      headers: { 'If-Match': etag },
      body: toRequest(values),
    });
    return { webhook: data, etag: response.headers.get('etag') ?? '' };
  };
  return useMutation({
    mutationFn: async (values: WebhookValues) => {
      try {
        return await put(values, current.etag);
      } catch (error) {
        if (!(error instanceof GalleyError) || error.statusCode !== 412) throw error;
        const { data, response } = await getWebhook({ client, path });
        const newer = { webhook: data, etag: response.headers.get('etag') ?? '' };
        if (areEqual(toValues(newer.webhook), toValues(current.webhook))) {
          return await put(values, newer.etag);
        }
        queryClient.setQueryData(detailKey, newer);
        throw error;
      }
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(detailKey, saved);
      void queryClient.invalidateQueries({
        queryKey: webhookKeys.list(saved.webhook.workspaceId),
      });
      onSaved(saved);
      notifications.show({ message: edit.saved });
    },
  });
}
