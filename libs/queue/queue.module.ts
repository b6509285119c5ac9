import { Module, type DynamicModule } from '@nestjs/common';
import { QUEUE_OPTIONS, type QueueOptions } from './backend.js';
import { JobQueue } from './job-queue.js';
import { WakeUp } from './wake-up.js';

@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    return {
      module: QueueModule,
      providers: [JobQueue, WakeUp, { provide: QUEUE_OPTIONS, useValue: options }],
      exports: [JobQueue, WakeUp],
    };
  }
}
