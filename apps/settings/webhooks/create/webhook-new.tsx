import { createWebhook } from '#client';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { LinkAnchor, LinkButton } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { AdminOnly, ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { focusFirstProblem, showFieldErrors, useWebhookForm } from '../form/use-webhook-form.js';
import { WebhookFields } from '../form/webhook-fields.js';
import { NEW_WEBHOOK, toRequest, withoutHeaderValues } from '../form/webhook-values.js';
import { useRememberSecret, webhookKeys } from '../webhook-queries.js';
import { words } from './texts.js';

export function WebhookNew() {
  const workspaceId = useWorkspaceId();
  const breadcrumbs = (
    <LinkAnchor to="/w/$workspaceId/webhooks" params={{ workspaceId }} size="sm">
      {texts.navigation.webhooks}
    </LinkAnchor>
  );
  return (
    <AdminOnly>
      <Page title={words.newTitle} breadcrumbs={breadcrumbs}>
        <NewWebhookForm workspaceId={workspaceId} />
      </Page>
    </AdminOnly>
  );
}

function NewWebhookForm({ workspaceId }: { workspaceId: string }) {
  const form = useWebhookForm(NEW_WEBHOOK);
  const draft = useDraft(`webhook-new:${workspaceId}`, form, withoutHeaderValues);
  const { mutate, isPending, error } = useCreate(workspaceId, draft.forget);
  const isFieldError = Object.keys(form.errors).length > 0;
  const create = form.onSubmit(
    (values) =>
      mutate({ workspaceId, ...toRequest(values) }, { onError: (e) => showFieldErrors(form, e) }),
    (errors) => focusFirstProblem(form, errors),
  );
  return (
    <form onSubmit={create} noValidate>
      <DraftNotice draft={draft} />
      <WebhookFields form={form} isNew />
      {error && !isFieldError && <ErrorAlert error={error} />}
      <Group mt="xl">
        <Button type="submit" loading={isPending}>
          {words.create}
        </Button>
        <LinkButton
          variant="default"
          to="/w/$workspaceId/webhooks"
          params={{ workspaceId }}
          onClick={draft.forget}
        >
          {texts.common.cancel}
        </LinkButton>
      </Group>
    </form>
  );
}

function useCreate(workspaceId: string, forgetDraft: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const rememberSecret = useRememberSecret();
  return useMutation({
    mutationFn: async (body: Parameters<typeof createWebhook>[0]['body']) =>
      (await createWebhook({ client, body })).data,
    onSuccess: async ({ id, secret }) => {
      forgetDraft();
      rememberSecret(id, secret);
      void queryClient.invalidateQueries({ queryKey: webhookKeys.list(workspaceId) });
      await navigate({
        to: '/w/$workspaceId/webhooks/$webhookId/created',
        params: { workspaceId, webhookId: id },
        replace: true,
      });
    },
  });
}
