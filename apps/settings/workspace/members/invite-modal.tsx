import { addMember, type Member, type Role } from '#client';
import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspace, useWorkspaceId } from '../../api/workspaces.js';
import { CopyButton } from '../../controls/code.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { rolesToGive } from '../member-rules.js';
import { RoleChoice } from '../role-choice.js';
import { membersKey } from '../workspace-queries.js';
import { words } from './texts.js';

interface InviteProps {
  members: readonly Member[];
  onClose: () => void;
}

export function InviteModal({ opened, ...props }: InviteProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={words.inviteTitle} centered>
      <Invitation {...props} />
    </Modal>
  );
}

function Invitation({ members, onClose }: InviteProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const { data: workspace } = useWorkspace();
  const form = useForm({
    initialValues: { email: '', role: 'viewer' as Role },
    validate: { email: validateEmail },
  });
  const draft = useDraft(`invitation:${workspaceId}`, form);
  const invitation = useMutation({
    mutationFn: async ({ email, role }: { email: string; role: Role }) => {
      const body = { email: email.trim(), role };
      return (await addMember({ client, path: { id: workspaceId }, body })).data;
    },
    onSuccess: async () => {
      draft.forget();
      form.reset();
      await queryClient.invalidateQueries({ queryKey: membersKey(workspaceId) });
    },
  });
  if (invitation.data) {
    return <InvitationSent member={invitation.data} onAgain={invitation.reset} onClose={onClose} />;
  }
  return (
    <form onSubmit={form.onSubmit((values) => invitation.mutate(values))} noValidate>
      <DraftNotice draft={draft} />
      <Stack gap="md">
        <TextInput
          type="email"
          label={words.emailLabel}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleChoice
          roles={workspace ? rolesToGive(workspace.role, members) : []}
          value={form.getValues().role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        {invitation.error && <ErrorAlert error={invitation.error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              onClose();
            }}
          >
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={invitation.isPending}>
            {words.sendInvitation}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Catches typing mistakes. The API decides whether an address is valid. */
const validateEmail = (email: string): string | null =>
  /^\S+@\S+\.\S+$/.test(email.trim()) ? null : words.emailInvalid;

interface InvitationSentProps {
  member: Member;
  onAgain: () => void;
  onClose: () => void;
}

/** Galley sends no email, so the user must tell the invited person where to sign in. */
function InvitationSent({ member: { email, status }, onAgain, onClose }: InvitationSentProps) {
  const isInvited = status === 'invited';
  const link = new URL(import.meta.env.BASE_URL, window.location.origin).href;
  return (
    <Stack gap="md">
      <div role="status">
        <Text fw={600}>{isInvited ? words.invitedTitle(email) : words.addedTitle(email)}</Text>
        <Text size="sm" mt={4}>
          {isInvited ? words.invitedText : words.addedText}
        </Text>
      </div>
      <Group gap="sm">
        <Code fz="sm">{link}</Code>
        <CopyButton value={link} label={words.copyLink} />
      </Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          {words.inviteAnother}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {words.done}
        </Button>
      </Group>
    </Stack>
  );
}
