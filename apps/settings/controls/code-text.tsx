import { Code } from '@mantine/core';

/** A text whose parts between backticks are code. */
export const CodeText = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <Code key={`${index} ${part}`}>{part}</Code> : part));
