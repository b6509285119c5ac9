import { texts } from '../../texts/index.js';
import type { FailureText } from '../../texts/deliveries/failures.js';
import classes from './failure-advice.module.css';

const { cause: causeLabel, action: actionLabel } = texts.delivery.attempts;

/** The usual cause of a failure, and what to do. */
export function FailureAdvice({ cause, action }: Pick<FailureText, 'cause' | 'action'>) {
  return (
    <dl className={classes['advice']}>
      <dt>{causeLabel}</dt>
      <dd>{cause}</dd>
      <dt>{actionLabel}</dt>
      <dd>{action}</dd>
    </dl>
  );
}
