import type { DomainEvent } from '#events';
import type { Right } from './idempotency-keys.js';
import { eventCte, eventValues } from './outbox.js';

interface Parts {
  /** Common table expressions, `name AS (…)`, separated by commas. */
  ctes: string;
  /** The name of the CTE that returns a row if there is a change, and no row otherwise. */
  changedCte: string;
  /** The final SELECT of the statement, which reads from the CTEs. */
  select: string;
  /** The number of parameters in these parts. The parameters of the event come after them. */
  parameters: number;
}

/**
 * A statement that makes a change. Build it once and reuse it, so that requests do not compose and hash the same text
 * again.
 */
export class ChangeStatement {
  readonly text: string;
  /** The same statement, extended by the insertion of the change's outbox row. */
  readonly textWithEvent: string;

  constructor({ ctes, changedCte, select, parameters }: Parts) {
    this.text = `WITH ${ctes} ${select}`;
    this.textWithEvent = `WITH ${ctes}, event AS (${eventCte(changedCte, parameters + 1)}) ${select}`;
  }
}

/** A change that takes a single statement, for `UnitOfWork.writeStatement`. */
export interface Change<Row, T> {
  statement: ChangeStatement;
  values: readonly unknown[];
  event: DomainEvent;
  /** The right that the statement checks. */
  right: Right;
  /** Builds the result from the rows, or throws if they show that nothing was changed. */
  toResult: (rows: Row[]) => T;
}

/** Returns the values for `textWithEvent`: the values of `text`, followed by the values of the event. */
export const withEventValues = ({
  values,
  event,
}: Pick<Change<never, never>, 'values' | 'event'>) => [...values, ...eventValues(event)];
