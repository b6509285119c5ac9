import { Module } from '@nestjs/common';
import { TemplateVersions } from './template-versions.js';
import { Templates } from './templates.js';

const services = [Templates, TemplateVersions];

@Module({ providers: services, exports: services })
export class TemplatesModule {}
