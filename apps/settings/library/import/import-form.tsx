import type { ImportFormat } from '#client';
import { Button, FileButton, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type DragEvent } from 'react';
import classes from './import.module.css';
import { words } from './texts.js';

interface Values {
  format: ImportFormat;
  content: string;
}

interface ImportFormProps {
  onSubmit: (values: Values) => void;
  isPending: boolean;
}

// Files of other programs are smaller. The API refuses larger bodies by default.
const MAX_FILE_BYTES = 1_000_000;
const FORMATS_BY_ENDING: Readonly<Record<string, ImportFormat>> = {
  mjml: 'mjml',
  html: 'html',
  htm: 'html',
};
const ACCEPTED = '.mjml,.html,.htm,.json,.txt';

/** The content to import: pasted, dropped or chosen. */
export function ImportForm({ onSubmit, isPending }: ImportFormProps) {
  const form = useForm<Values>({
    initialValues: { format: 'mjml', content: '' },
    validate: { content: (text) => (text.trim() === '' ? words.contentMissing : null) },
  });
  const read = async (file: File | null | undefined) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) {
      form.setFieldError('content', words.fileTooLarge);
      return;
    }
    try {
      const content = await file.text();
      const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
      const format = FORMATS_BY_ENDING[ending];
      form.setValues({ content, ...(format && { format }) });
    } catch {
      // The file has been removed or changed since it was chosen.
      form.setFieldError('content', words.fileFailed);
    }
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    // Without a file, the browser inserts the dropped text.
    if (!file) return;
    event.preventDefault();
    void read(file);
  };
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack gap="md" mb="lg">
        <NativeSelect
          label={words.formatLabel}
          data={Object.entries(words.formats).map(([value, label]) => ({ value, label }))}
          maw={320}
          {...form.getInputProps('format')}
        />
        <Textarea
          label={words.contentLabel}
          description={words.contentHint}
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: classes['content'] ?? '' }}
          onDrop={drop}
          onDragOver={(event) => event.preventDefault()}
          {...form.getInputProps('content')}
        />
        <Group>
          <Button type="submit" loading={isPending}>
            {words.convert}
          </Button>
          <FileButton onChange={(file) => void read(file)} accept={ACCEPTED}>
            {(props) => (
              <Button variant="default" {...props}>
                {words.chooseFile}
              </Button>
            )}
          </FileButton>
        </Group>
      </Stack>
    </form>
  );
}
