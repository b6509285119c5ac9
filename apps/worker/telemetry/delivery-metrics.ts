import { Injectable } from '@nestjs/common';
import { Metrics, type Sample } from '#metrics';
import type { AttemptResult, ClaimedDelivery } from '#webhooks';
import { Loops } from '../loops/loops.js';
import { HEALTHS_BY_PRIORITY, type Slots } from '../slots.js';

/** Counts what a worker does on the way from the outbox to the subscribers. */
@Injectable()
export class DeliveryMetrics {
  constructor(
    private readonly metrics: Metrics,
    loops: Loops,
  ) {
    metrics.watch(() =>
      [...loops.failures].map(([loop, failures]) => [
        'galley_worker_loop_errors_total',
        { loop },
        failures,
      ]),
    );
  }

  watchSlots(slots: Slots): void {
    this.metrics.watch(() => [
      ['galley_worker_slots', {}, slots.size],
      ['galley_worker_slots_in_use', {}, slots.inUse],
      ...HEALTHS_BY_PRIORITY.map((health): Sample => [
        'galley_worker_endpoints_waiting',
        { health },
        slots.waitingCount(health),
      ]),
    ]);
  }

  countRelayed(events: number): void {
    this.metrics.add('galley_events_relayed_total', {}, events);
  }

  countAttempt(delivery: ClaimedDelivery, attempt: AttemptResult): void {
    const result = attempt.ok ? 'delivered' : attempt.localProblem ? 'not_sent' : 'failed';
    const stage = attempt.stage ?? 'none';
    this.metrics.add('galley_delivery_attempts_total', { result, stage });
    const seconds = attempt.durationMs / 1_000;
    this.metrics.observe('galley_delivery_attempt_duration_seconds', { result }, seconds);
    const { attempts, isReplay, occurredAt } = delivery;
    // A delivery that was not sent has no first attempt yet. A replay delivers an event of long ago.
    if (attempts > 0 || isReplay || occurredAt === null || result === 'not_sent') return;
    const latencyMs = attempt.startedAt.getTime() - occurredAt.getTime();
    // The clocks of the worker and of PostgreSQL may differ.
    this.metrics.observe('galley_delivery_latency_seconds', {}, Math.max(0, latencyMs) / 1_000);
  }
}
