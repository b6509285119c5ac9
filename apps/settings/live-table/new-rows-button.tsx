import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { formatNumber } from '../deliveries/format.js';
import classes from './new-rows-button.module.css';

interface NewRowsButtonProps {
  count: number;
  /** Whether there may be more new rows than `count`. */
  isAtLeast: boolean;
  label: (count: string) => string;
  onClick: () => void;
}

/** A button that floats over the list while there are new rows. It takes no room, so that nothing moves. */
export function NewRowsButton({ count, isAtLeast, label, onClick }: NewRowsButtonProps) {
  return (
    <div className={classes['place']} aria-live="polite">
      {count > 0 && (
        <Button
          size="xs"
          radius="xl"
          leftSection={<IconArrowUp size={14} />}
          onClick={onClick}
          className={classes['button']}
        >
          {label(formatNumber(count) + (isAtLeast ? '+' : ''))}
        </Button>
      )}
    </div>
  );
}
