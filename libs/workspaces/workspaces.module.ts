import { Module } from '@nestjs/common';
import { ApiKeys } from './api-keys.js';
import { AuditLog } from './audit-log.js';
import { CheckSettings } from './check-settings.js';
import { Environments } from './environments.js';
import { Members } from './members.js';
import { Workspaces } from './workspaces.js';

const services = [ApiKeys, AuditLog, CheckSettings, Environments, Members, Workspaces];

@Module({ providers: services, exports: services })
export class WorkspacesModule {}
