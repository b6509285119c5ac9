import type { Attempt } from '#client';
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { formatDuration } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { FailureAdvice } from '../failures/failure-advice.js';
import { explainFailure } from '../failures/failure-explanation.js';
import { MessagePanel } from '../message/message-panel.js';
import classes from './attempt-details.module.css';

const { attempts: words, message } = texts.delivery;
// Galley stores only the first 16 KiB of a response body.
const MAX_RESPONSE_LENGTH = 16 * 1024;

interface AttemptDetailsProps {
  attempt: Attempt;
  number: number;
  requestBody: string | null;
}

export function AttemptDetails({ attempt, number, requestBody }: AttemptDetailsProps) {
  const { url, requestHeaders, responseHeaders, responseBody, statusCode } = attempt;
  const isCutOff = new Blob([responseBody ?? '']).size >= MAX_RESPONSE_LENGTH;
  return (
    <Stack gap="md" aria-live="polite">
      <div className={classes['heading']}>
        <Text fw={600}>{words.number(number)}</Text>
        <RelativeTime time={attempt.startedAt} />
      </div>
      <AttemptOutcome attempt={attempt} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <MessagePanel
          title={message.request}
          summary={url === null ? '' : `POST ${url}`}
          headers={requestHeaders}
          body={requestBody}
          noMessage={message.noRequest}
          noBody={message.bodyGone}
        />
        <MessagePanel
          title={message.response}
          summary={statusCode === null ? '' : String(statusCode)}
          headers={responseHeaders}
          body={responseBody}
          noMessage={message.noResponse}
          noBody={message.emptyBody}
          hint={isCutOff ? message.truncated : undefined}
        />
      </SimpleGrid>
    </Stack>
  );
}

function AttemptOutcome({ attempt }: { attempt: Attempt }) {
  const { statusCode, durationMs, stage, error } = attempt;
  const failure = explainFailure(attempt);
  const duration = formatDuration(durationMs);
  if (failure === undefined) {
    return <Text size="sm">{words.succeeded(statusCode ?? 0, duration)}</Text>;
  }
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertCircle />}
      title={failure.title}
      classNames={{ title: classes['failure'] ?? '' }}
    >
      <Text size="sm" mb="sm">
        {words.failedAfter(duration)}
        {/* The title already names the status of the response. */}
        {stage !== 'status' && error !== null && `: ${error}`}
      </Text>
      <FailureAdvice {...failure} />
    </Alert>
  );
}
