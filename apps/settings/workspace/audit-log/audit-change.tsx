import type { AuditEntry } from '#client';
import { Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { shortId } from '../../controls/format.js';
import { texts } from '../../texts/index.js';
import classes from './audit-change.module.css';
import { describeAction, detailsOf } from './audit-words.js';

/** The content of an entry: a sentence, and the values before and after. */
export function AuditChange({ entry, target }: { entry: AuditEntry; target: string | undefined }) {
  const { from: fromLabel, to: toLabel } = texts.auditLog;
  return (
    <div>
      <Text size="sm" fw={600}>
        {describeAction(entry, target ?? shortId(entry.targetId))}
      </Text>
      {detailsOf(entry, target).map(({ label, from, to }) => (
        <Text key={label} size="sm" component="div" className={classes['detail']}>
          <span>{label}:</span>
          {from !== undefined && (
            <>
              <VisuallyHidden>{fromLabel}</VisuallyHidden>
              <span>{from}</span>
              <IconArrowRight size={14} aria-hidden />
              <VisuallyHidden>{toLabel}</VisuallyHidden>
            </>
          )}
          <span>{to}</span>
        </Text>
      ))}
    </div>
  );
}
