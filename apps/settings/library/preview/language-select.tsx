import { Select } from '@mantine/core';
import { useLanguages } from '../translations/translation-queries.js';
import type { PreviewedVersion } from './preview-queries.js';
import { words } from './texts.js';

interface LanguageSelectProps {
  version: PreviewedVersion;
  language: string | undefined;
  onChange: (language: string | undefined) => void;
}

/** Chooses a language of the email; nothing if the email has one language. */
export function LanguageSelect({ version, language, onChange }: LanguageSelectProps) {
  const languages = useLanguages(version.number).data?.languages ?? [];
  if (languages.length === 0 && language === undefined) return null;
  const tags = languages.map((each) => each.language);
  if (language !== undefined && !tags.includes(language)) tags.push(language);
  return (
    <Select
      label={words.language}
      data={[
        { value: '', label: words.ownLanguage },
        ...tags.map((tag) => ({ value: tag, label: tag })),
      ]}
      value={language ?? ''}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}
