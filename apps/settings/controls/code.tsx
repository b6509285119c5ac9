import { Button, Code } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../texts.js';

interface CopyButtonProps {
  /** The text, or a function that loads the text. If the function returns undefined, nothing is copied. */
  value: string | (() => Promise<string | undefined>);
  /** The label of the button, which should say what is copied. By default, the label is "Copy". */
  label?: string;
}

export function CopyButton({ value, label = texts.common.copy }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const copyValue = async () => {
    const text = typeof value === 'string' ? value : await value();
    if (text !== undefined) copy(text);
  };
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void copyValue()}
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    >
      <span aria-live="polite">{copied ? texts.common.copied : label}</span>
    </Button>
  );
}

/** Renders the parts of a text between backticks as code. */
export const CodeText = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <Code key={`${index} ${part}`}>{part}</Code> : part));
