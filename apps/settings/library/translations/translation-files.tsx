import { Alert, Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../controls/states.js';
import { words } from './texts.js';
import { useTranslationFile } from './translation-queries.js';

const FORMATS = ['xliff', 'csv'] as const;
type Format = (typeof FORMATS)[number];
const EXTENSIONS: Record<Format, string> = { xliff: 'xlf', csv: 'csv' };

interface TranslationFilesProps {
  language: string;
  /** Missing if the user may not store translations. */
  onUpload?: (file: { format: Format; content: string }) => void;
}

/** The buttons that exchange files with translators. */
export function TranslationFiles({ language, onUpload }: TranslationFilesProps) {
  const file = useTranslationFile(language);
  const [isUnreadable, setUnreadable] = useState(false);
  const download = (format: Format) =>
    file.mutate(format, {
      onSuccess: ({ content }) => save(content, `${language}.${EXTENSIONS[format]}`),
    });
  const upload = async (chosen: File | null) => {
    if (chosen === null) return;
    const format = chosen.name.toLowerCase().endsWith('.csv') ? 'csv' : 'xliff';
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      onUpload?.({ format, content: decoder.decode(await chosen.arrayBuffer()) });
      setUnreadable(false);
    } catch {
      // A spreadsheet may have saved the file in another encoding, in which letters would be lost.
      setUnreadable(true);
    }
  };
  return (
    <>
      {FORMATS.map((format) => (
        <Button
          key={format}
          variant="default"
          loading={file.isPending && file.variables === format}
          onClick={() => download(format)}
        >
          {words.download[format]}
        </Button>
      ))}
      {onUpload && (
        <FileButton accept=".xlf,.xliff,.csv" onChange={(chosen) => void upload(chosen)}>
          {(props) => (
            <Button variant="default" {...props}>
              {words.upload}
            </Button>
          )}
        </FileButton>
      )}
      {file.error && <ErrorAlert error={file.error} />}
      {isUnreadable && (
        <Alert color="red" role="alert">
          {words.unreadable}
        </Alert>
      )}
    </>
  );
}

/** Saves a text as a file in the browser. */
function save(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = Object.assign(window.document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
