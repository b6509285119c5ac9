import { Module } from '@nestjs/common';
import { Trash } from './trash.js';

@Module({ providers: [Trash], exports: [Trash] })
export class TrashModule {}
