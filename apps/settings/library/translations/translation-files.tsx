import { Button, FileButton } from '@mantine/core';
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
  const download = (format: Format) =>
    file.mutate(format, {
      onSuccess: ({ content }) => save(content, `${language}.${EXTENSIONS[format]}`),
    });
  const upload = async (chosen: File | null) => {
    if (chosen === null) return;
    const format = chosen.name.toLowerCase().endsWith('.csv') ? 'csv' : 'xliff';
    onUpload?.({ format, content: await chosen.text() });
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
