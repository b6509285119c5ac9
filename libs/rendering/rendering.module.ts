import { Module, type DynamicModule } from '@nestjs/common';
import { PublishingModule } from '#publishing';
import { WorkspacesModule } from '#workspaces';
import { Checking } from './checking.js';
import { Comparing } from './comparing.js';
import { Importing } from './importing.js';
import { PUBLIC_URL, Renderer } from './renderer.js';
import { Rendering } from './rendering.js';
import { Translating } from './translating.js';

@Module({})
export class RenderingModule {
  /** @param publicUrl the public URL of the API, at which mail clients load icons; undefined if it is unknown. */
  static forRoot(publicUrl: string | undefined): DynamicModule {
    return {
      module: RenderingModule,
      imports: [PublishingModule, WorkspacesModule],
      providers: [
        { provide: PUBLIC_URL, useValue: publicUrl },
        Checking,
        Comparing,
        Importing,
        Renderer,
        Rendering,
        Translating,
      ],
      exports: [Checking, Comparing, Importing, Rendering, Translating],
    };
  }
}
