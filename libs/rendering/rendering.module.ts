import { Module } from '@nestjs/common';
import { TemplatesModule } from '#templates';
import { Renderer } from './renderer.js';
import { Rendering } from './rendering.js';

@Module({ imports: [TemplatesModule], providers: [Renderer, Rendering], exports: [Rendering] })
export class RenderingModule {}
