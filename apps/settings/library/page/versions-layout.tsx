import { Grid } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { texts } from '../../texts/index.js';
import { tags as tagTexts } from '../../texts/library/tags.js';
import { DocumentFacts, Fact } from '../document/document-facts.js';
import { useDocument } from '../kinds/use-document.js';
import { DocumentTags } from '../tags/document-tags.js';
import { VersionList } from '../versions/version-list.js';

/** The document of one version, with the facts and the list of versions beside it. */
export function VersionsLayout() {
  const { library } = texts;
  const { data } = useDocument();
  if (data === undefined) return null;
  const { document } = data;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Outlet />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <DocumentFacts document={document}>
          <Fact label={tagTexts.title}>
            <DocumentTags read={data} />
          </Fact>
          {'category' in document && (
            <>
              <Fact label={library.category}>{document.category || library.noCategory}</Fact>
              <Fact label={library.description}>
                {document.description || library.noDescription}
              </Fact>
            </>
          )}
        </DocumentFacts>
        <VersionList latestVersion={document.version} />
      </Grid.Col>
    </Grid>
  );
}
