import type { Translations } from '#client';
import { Alert, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import type { ReadDocument } from '../use-document.js';
import { words } from './texts.js';
import { TranslationFiles } from './translation-files.js';
import { isStale, useStoreTranslations, useTexts } from './translation-queries.js';

type TranslatedText = Translations['texts'][number];

interface LanguageTextsProps {
  read: ReadDocument;
  language: string;
}

/** The texts of a document beside their translations into one language. */
export function LanguageTexts({ read, language }: LanguageTextsProps) {
  const translations = useTexts(read, language);
  const isEditor = useHasRole('editor');
  const storing = useStoreTranslations(read, language);
  // The translations that the user has typed, by the id of the text.
  const [typed, setTyped] = useState<Record<string, string>>({});
  const store = (body: Parameters<typeof storing.mutate>[0]) =>
    storing.mutate(body, {
      onSuccess: ({ version }) => {
        setTyped({});
        notifications.show({ message: words.saved(version) });
      },
    });
  const save = (texts: readonly TranslatedText[]) =>
    store({
      texts: texts
        .filter(({ id, text }) => id in typed && typed[id] !== (text ?? ''))
        .map(({ id, source }) => ({ id, source, text: typed[id] || null })),
    });
  return (
    <section>
      <Title order={2} size="h4" mb={4} lang="">
        {words.textsTitle(language)}
      </Title>
      <Text size="sm" mb="md">
        {words.ownModules}
      </Text>
      <QueryState query={translations} skeleton={<RowsSkeleton rows={4} height={64} />}>
        {({ texts }) =>
          texts.length === 0 ? (
            <Text size="sm">{words.noTexts}</Text>
          ) : (
            <Stack gap="md">
              <ListTable
                label={words.textsTitle(language)}
                columns={columnsFor({
                  language,
                  isEditor,
                  typed,
                  onType: (id, text) => setTyped((before) => ({ ...before, [id]: text })),
                })}
                rows={texts}
                rowKey={({ id }) => id}
              />
              {isStale(storing.error) ? (
                <Alert color="yellow" role="alert">
                  {words.stale}
                </Alert>
              ) : (
                storing.error && <ErrorAlert error={storing.error} />
              )}
              <Group gap="xs">
                {isEditor && (
                  <Button
                    loading={storing.isPending}
                    disabled={
                      !texts.some(({ id, text }) => id in typed && typed[id] !== (text ?? ''))
                    }
                    onClick={() => save(texts)}
                  >
                    {words.save}
                  </Button>
                )}
                <TranslationFiles language={language} {...(isEditor && { onUpload: store })} />
              </Group>
            </Stack>
          )
        }
      </QueryState>
    </section>
  );
}

interface ColumnOptions {
  language: string;
  isEditor: boolean;
  typed: Readonly<Record<string, string>>;
  onType: (id: string, text: string) => void;
}

const columnsFor = ({
  language,
  isEditor,
  typed,
  onType,
}: ColumnOptions): Column<TranslatedText>[] => [
  {
    header: words.textColumns.source,
    width: '45%',
    cell: ({ source, isOutdated }) => (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {source}
        </Text>
        {isOutdated && (
          <Text size="xs" c="orange.8" mt={4}>
            {words.changedSince}
          </Text>
        )}
      </>
    ),
  },
  {
    header: words.textColumns.translation,
    cell: ({ id, source, text }) =>
      isEditor ? (
        <Textarea
          aria-label={words.translationOf(source)}
          value={typed[id] ?? text ?? ''}
          lang={language}
          dir="auto"
          autosize
          minRows={1}
          maxRows={12}
          onChange={({ currentTarget }) => onType(id, currentTarget.value)}
        />
      ) : (
        <Text size="sm" lang={language} dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      ),
  },
];
