import { Module } from '@nestjs/common';
import { TemplateVersions } from './template-versions.js';
import { Templates } from './templates.js';

@Module({ providers: [Templates, TemplateVersions], exports: [Templates, TemplateVersions] })
export class TemplatesModule {}
