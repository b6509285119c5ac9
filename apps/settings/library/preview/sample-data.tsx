import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import classes from './preview.module.css';
import { isData, sampleValues, type SampleData } from './sample-values.js';
import { words } from './texts.js';

interface SampleDataEditorProps {
  variables: { used: readonly string[]; missing: readonly string[] };
  content: unknown;
  data: SampleData | undefined;
  onChange: (data: SampleData | undefined) => void;
}

const TYPING_MS = 400;
const MAX_NAMED = 10;

/** An editor for the preview's data, in JSON. */
export function SampleDataEditor({ variables, content, data, onChange }: SampleDataEditorProps) {
  const [text, setText] = useState(data ? format(data) : '');
  const { used, missing } = variables;
  const parsed = parse(text);
  const changeLater = useDebouncedCallback((changed: string) => {
    const next = parse(changed);
    if (next !== INVALID) onChange(next);
  }, TYPING_MS);
  const change = (changed: string) => {
    setText(changed);
    changeLater(changed);
  };
  const fill = () => {
    const values = sampleValues(used, content);
    setText(format(values));
    changeLater.cancel();
    onChange(values);
  };
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.data}
      </Title>
      {used.length === 0 && data === undefined ? (
        <Text size="sm">{words.noVariables}</Text>
      ) : (
        <Stack gap="xs">
          <Textarea
            label={words.dataLabel}
            description={words.dataHint}
            value={text}
            onChange={({ currentTarget }) => change(currentTarget.value)}
            error={parsed === INVALID && words.dataInvalid}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: classes['json'] ?? '' }}
          />
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={fill}>
              {words.fill}
            </Button>
            {text !== '' && (
              <Button size="xs" variant="subtle" onClick={() => change('')}>
                {words.clear}
              </Button>
            )}
          </Group>
          {data !== undefined && missing.length > 0 && (
            <Text size="sm">{words.missing(missing.slice(0, MAX_NAMED), missing.length)}</Text>
          )}
        </Stack>
      )}
    </section>
  );
}

const format = (data: SampleData): string => JSON.stringify(data, null, 2);

const INVALID = Symbol('invalid');

function parse(text: string): SampleData | undefined | typeof INVALID {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isData(value) ? value : INVALID;
  } catch {
    // The user is still typing, and sees the error below the field.
    return INVALID;
  }
}
