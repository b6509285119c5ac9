import { Module } from '@nestjs/common';
import { PublishingModule } from '#publishing';
import { WorkspacesModule } from '#workspaces';
import { Checking } from './checking.js';
import { Renderer } from './renderer.js';
import { Rendering } from './rendering.js';

@Module({
  imports: [PublishingModule, WorkspacesModule],
  providers: [Checking, Renderer, Rendering],
  exports: [Checking, Rendering],
})
export class RenderingModule {}
