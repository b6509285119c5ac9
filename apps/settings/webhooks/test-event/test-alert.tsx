import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import classes from './test-event.module.css';
import type { TestEvent } from './use-test-event.js';

interface TestAlertProps {
  test: TestEvent;
  color: string;
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}

/** The frame of a test's state, with a button that closes it. */
export function TestAlert({ test, color, icon, title, children }: TestAlertProps) {
  return (
    <Alert
      variant="outline"
      color={color}
      icon={icon}
      title={title}
      withCloseButton
      closeButtonLabel={texts.common.close}
      onClose={() => {
        test.button.current?.focus();
        test.send.reset();
      }}
      classNames={{ body: classes['body'] ?? '', title: classes['title'] ?? '' }}
    >
      {children !== undefined && (
        <Stack gap="xs" c="var(--mantine-color-text)">
          {children}
        </Stack>
      )}
    </Alert>
  );
}
