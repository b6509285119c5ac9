import type { Languages } from '#client';
import { Button, Group, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { parseTranslationsSearch } from '../library-search.js';
import { useDocument, type ReadDocument } from '../use-document.js';
import { LanguageTexts } from './language-texts.js';
import { words } from './texts.js';
import { useLanguages } from './translation-queries.js';

/** The languages of a template or module, and the texts in one of them. */
export function TranslationsView() {
  const read = useDocument();
  return (
    <QueryState query={read} skeleton={<RowsSkeleton rows={4} height={46} />}>
      {(current) => <LanguagesOf read={current} />}
    </QueryState>
  );
}

function LanguagesOf({ read }: { read: ReadDocument }) {
  const languages = useLanguages(read.document.version);
  const isEditor = useHasRole('editor');
  const { language } = parseTranslationsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const open = (chosen: string) =>
    void navigate({ to: '.', search: { language: chosen }, replace: true });
  return (
    <Stack gap="xl">
      <section>
        <Title order={2} size="h4" mb={4}>
          {words.title}
        </Title>
        <Text size="sm" mb="md" maw={680}>
          {words.text}
        </Text>
        <QueryState query={languages} skeleton={<RowsSkeleton rows={2} height={46} />}>
          {({ languages: rows }) =>
            rows.length === 0 ? (
              <EmptyState title={words.emptyTitle} text={words.emptyText} />
            ) : (
              <ListTable
                label={words.title}
                columns={columnsFor(open)}
                rows={rows}
                rowKey={(row) => row.language}
              />
            )
          }
        </QueryState>
        {isEditor && <AddLanguage onAdd={open} />}
      </section>
      {language !== undefined && <LanguageTexts key={language} read={read} language={language} />}
    </Stack>
  );
}

const { columns } = words;
type Row = Languages['languages'][number];
const columnsFor = (onOpen: (language: string) => void): Column<Row>[] => [
  {
    header: columns.language,
    cell: ({ language }) => (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={words.open(language)}
        onClick={() => onOpen(language)}
      >
        {language}
      </Button>
    ),
    width: 140,
  },
  {
    header: columns.progress,
    cell: ({ language, translated, texts }) => (
      <>
        <Text size="sm">{words.progress(translated, texts)}</Text>
        <Progress
          mt={4}
          value={texts === 0 ? 100 : (translated / texts) * 100}
          aria-label={words.progressLabel(language)}
        />
      </>
    ),
  },
  { header: columns.outdated, cell: ({ outdated }) => words.outdated(outdated), width: 160 },
];

function AddLanguage({ onAdd }: { onAdd: (language: string) => void }) {
  const [language, setLanguage] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (language.trim() !== '') onAdd(language.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" mt="md">
        <TextInput
          label={words.addLabel}
          description={words.addHint}
          value={language}
          maxLength={35}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {words.add}
        </Button>
      </Group>
    </form>
  );
}
