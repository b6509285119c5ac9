import { useEffect, useRef } from 'react';
import { ErrorAlert } from '../../controls/states.js';
import type { TestEvent } from './test-button.js';
import classes from './test-event.module.css';
import { TestResult, TestWaiting } from './test-result.js';
import { hasResult } from './test-state.js';

/** Shows the progress of the test event. Scrolls into view, and leaves the keyboard focus on the button. */
export function TestPanel({ test }: { test: TestEvent }) {
  const panel = useRef<HTMLDivElement>(null);
  const { send, delivery } = test;
  const { submittedAt } = send;
  const error = send.error ?? delivery.error;
  const result = delivery.data && hasResult(delivery.data) ? delivery.data : undefined;
  const hasEnded = result !== undefined || error !== null;
  useEffect(() => {
    if (submittedAt > 0) showWhole(panel.current);
  }, [submittedAt]);
  useEffect(() => {
    if (hasEnded && isVisible(panel.current)) showWhole(panel.current);
  }, [hasEnded]);
  return (
    // This element is always present, so that screen readers announce what appears in it.
    <div ref={panel} aria-live="polite" className={classes['panel']}>
      {error ? (
        <ErrorAlert error={error} />
      ) : result ? (
        <TestResult test={test} delivery={result} />
      ) : (
        !send.isIdle && <TestWaiting test={test} />
      )}
    </div>
  );
}

const showWhole = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' });

/** Whether the top of the panel is visible. The user may have scrolled away while the test was waiting. */
function isVisible(element: HTMLElement | null): boolean {
  const { top = -1 } = element?.getBoundingClientRect() ?? {};
  return top >= 0 && top < window.innerHeight;
}
