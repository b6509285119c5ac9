import type { Attempt, DeliveryDetails } from '#client';
import { Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertCircleFilled, IconCircleCheckFilled } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatDuration, formatExact, formatNumber } from '../../controls/format.js';
import { texts } from '../../texts/index.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { explainFailure } from '../failures/failure-explanation.js';
import { AttemptDetails } from './attempt-details.js';
import classes from './attempts.module.css';

const deliveryApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');
const { attempts: words } = texts.delivery;

/** Lists the attempts of a delivery, and shows one attempt in full. The URL holds the attempt's number. */
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
        {words.title}
      </Title>
      {olderCount > 0 && <Text size="sm">{words.older(formatNumber(olderCount))}</Text>}
      {selected === undefined ? (
        <Text size="sm">{words.none}</Text>
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
          words.number(number)
        ) : (
          <>
            <VisuallyHidden>{words.number(number)}</VisuallyHidden>{' '}
            {words.since(formatDuration(offset))}
          </>
        )}
      </span>
    </Link>
  );
}
