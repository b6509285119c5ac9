import type { Attempt, DeliveryDetails } from '#client';
import { Alert, SimpleGrid, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconAlertCircleFilled, IconCircleCheckFilled } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatDuration, formatExact, formatNumber } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { MessagePanel } from '../message/message-panel.js';
import { explainFailure } from '../outcomes.js';
import { FailureAdvice } from '../parts.js';
import { deliveryTexts } from '../texts.js';
import classes from './details.module.css';
import { words } from './texts.js';

const deliveryApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');
const { attempts: attemptTexts } = words;
const { message } = deliveryTexts;

/** Lists the attempts of a delivery, and shows one attempt in full. The URL contains the number of that attempt. */
export function Attempts({ delivery }: { delivery: DeliveryDetails }) {
  const { attempt: selectedNumber } = deliveryApi.useSearch();
  const { attempts, attemptsMade } = delivery;
  const olderCount = Math.max(0, attempts - attemptsMade.length);
  const selectedIndex =
    selectedNumber === undefined ? attemptsMade.length - 1 : selectedNumber - olderCount - 1;
  const selected = attemptsMade[selectedIndex] ?? attemptsMade.at(-1);
  return (
    <Stack gap="sm" component="section">
      <Title order={3} size="h4">
        {attemptTexts.title}
      </Title>
      {olderCount > 0 && <Text size="sm">{attemptTexts.older(formatNumber(olderCount))}</Text>}
      {selected === undefined ? (
        <Text size="sm">{attemptTexts.none}</Text>
      ) : (
        <>
          <ol className={classes['timeline']}>
            {attemptsMade.map((attempt, index) => (
              <li key={attempt.startedAt} className={classes['step']}>
                <AttemptLink
                  deliveryId={delivery.id}
                  attempt={attempt}
                  number={olderCount + index + 1}
                  isSelected={attempt === selected}
                  first={attemptsMade[0]}
                />
              </li>
            ))}
          </ol>
          <AttemptDetails
            attempt={selected}
            number={olderCount + attemptsMade.indexOf(selected) + 1}
            requestBody={delivery.requestBody}
          />
        </>
      )}
    </Stack>
  );
}

interface AttemptLinkProps {
  deliveryId: string;
  attempt: Attempt;
  number: number;
  isSelected: boolean;
  first: Attempt | undefined;
}

function AttemptLink({ deliveryId, attempt, number, isSelected, first }: AttemptLinkProps) {
  const workspaceId = useWorkspaceId();
  const webhookId = useWebhookId();
  const failure = explainFailure(attempt);
  const Icon = failure ? IconAlertCircleFilled : IconCircleCheckFilled;
  const offset = Date.parse(attempt.startedAt) - Date.parse(first?.startedAt ?? attempt.startedAt);
  return (
    <Link
      to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
      params={{ workspaceId, webhookId, deliveryId }}
      search={{ attempt: number }}
      replace
      resetScroll={false}
      activeProps={{}}
      aria-current={isSelected ? 'step' : undefined}
      title={formatExact(attempt.startedAt)}
      className={classes['attempt'] ?? ''}
    >
      <Icon size={18} className={classes[failure ? 'failed' : 'succeeded']} aria-hidden />
      <span className={classes['outcome']}>{failure?.label ?? attempt.statusCode}</span>
      <span className={classes['time']}>
        {offset === 0 ? (
          attemptTexts.number(number)
        ) : (
          <>
            <VisuallyHidden>{attemptTexts.number(number)}</VisuallyHidden>{' '}
            {attemptTexts.since(formatDuration(offset))}
          </>
        )}
      </span>
    </Link>
  );
}

// Galley stores only the first 16 KiB of a response body.
const MAX_RESPONSE_LENGTH = 16 * 1024;

interface AttemptDetailsProps {
  attempt: Attempt;
  number: number;
  requestBody: string | null;
}

function AttemptDetails({ attempt, number, requestBody }: AttemptDetailsProps) {
  const { url, requestHeaders, responseHeaders, responseBody, statusCode } = attempt;
  const isCutOff = new Blob([responseBody ?? '']).size >= MAX_RESPONSE_LENGTH;
  return (
    <Stack gap="md" aria-live="polite">
      <div className={classes['heading']}>
        <Text fw={600}>{attemptTexts.number(number)}</Text>
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
    return <Text size="sm">{attemptTexts.succeeded(statusCode ?? 0, duration)}</Text>;
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
        {attemptTexts.failedAfter(duration)}
        {/* The title already contains the response status. */}
        {stage !== 'status' && error !== null && `: ${error}`}
      </Text>
      <FailureAdvice {...failure} />
    </Alert>
  );
}
