import type { Role } from '#client';
import { Radio, Stack } from '@mantine/core';
import { texts } from '../texts.js';

interface RoleChoiceProps<Choice extends Role> {
  roles: readonly Choice[];
  value: Choice;
  onChange: (role: Choice) => void;
}

/** Lets the user choose a role. Each role has a description of its permissions. */
export function RoleChoice<Choice extends Role>({
  roles,
  value,
  onChange,
}: RoleChoiceProps<Choice>) {
  return (
    <Radio.Group label={texts.roles.label} value={value} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={texts.roles[role].name}
            description={texts.roles[role].text}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
