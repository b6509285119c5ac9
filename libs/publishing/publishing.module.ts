import { Module } from '@nestjs/common';
import { Publishing } from './publishing.js';

@Module({ providers: [Publishing], exports: [Publishing] })
export class PublishingModule {}
