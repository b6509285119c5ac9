import { Badge } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';

export function VersionLabel({ children }: { children: string }) {
  return (
    <Badge
      size="sm"
      variant="outline"
      tt="none"
      fw={600}
      maw="100%"
      title={children}
      leftSection={<IconTag size={12} aria-hidden />}
    >
      {children}
    </Badge>
  );
}
