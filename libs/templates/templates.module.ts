import { Module } from '@nestjs/common';
import { TemplateBatches } from './template-batches.js';
import { TemplateVersions } from './template-versions.js';
import { Templates } from './templates.js';

const services = [Templates, TemplateBatches, TemplateVersions];

@Module({ providers: services, exports: services })
export class TemplatesModule {}
