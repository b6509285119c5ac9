import { Module } from '@nestjs/common';
import { ModuleBatches } from './module-batches.js';
import { Modules } from './modules.js';

const services = [Modules, ModuleBatches];

@Module({ providers: services, exports: services })
export class ModulesModule {}
