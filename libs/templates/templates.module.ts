import { Module } from '@nestjs/common';
import { Publishing } from './publishing/publishing.js';
import { Templates } from './templates.js';
import { UsageUpdates } from './usage-updates/usage-updates.js';

@Module({
  providers: [Publishing, Templates, UsageUpdates],
  exports: [Publishing, Templates, UsageUpdates],
})
export class TemplatesModule {}
