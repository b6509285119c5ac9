import { Stack } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { TabTitle } from '../layout/tab-title.js';
import { useWebhook } from '../webhook-queries.js';
import { HealthSection } from './health/health-section.js';
import { StatisticsSection } from './statistics/statistics-section.js';
import { StatusHistory } from './status-history.js';

export function WebhookOverview() {
  const { data } = useWebhook();
  return (
    <>
      <TabTitle>{texts.webhooks.tabs.overview}</TabTitle>
      <Stack gap="md">
        {data && <HealthSection webhook={data.webhook} />}
        <StatisticsSection />
        <StatusHistory />
      </Stack>
    </>
  );
}
