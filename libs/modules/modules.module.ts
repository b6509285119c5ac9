import { Module } from '@nestjs/common';
import { Modules } from './modules.js';

@Module({ providers: [Modules], exports: [Modules] })
export class ModulesModule {}
