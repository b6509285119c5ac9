import { Button, Center, Text } from '@mantine/core';
import { formatNumber } from '../deliveries/format.js';
import { texts } from '../texts/index.js';

interface LoadMoreProps {
  list: {
    data?: readonly unknown[] | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** The text below the list when all rows are loaded; none by default. */
  loadedAll?: (count: string) => string;
}

/** Below a list: loads the next page, or says that there is none. */
export function LoadMore({ list, loadedAll }: LoadMoreProps) {
  const { data = [], hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <Center mt="md">
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.common.loadMore}
        </Button>
      ) : (
        loadedAll &&
        data.length > 0 && <Text size="sm">{loadedAll(formatNumber(data.length))}</Text>
      )}
    </Center>
  );
}
