import { Controller, Injectable, Res, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { MODULE, TEMPLATE, type DocumentType } from '#documents';
import type { Precondition } from '#errors';
import { Translating, type FileFormat } from '#rendering';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { documentResponses } from '../documents/document.responses.js';
import { IfMatch } from '../operations/if-match.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathId, PathLanguage } from '../validation/path-params.js';
import { translationOperations } from './translation-operations.js';
import { StoreTranslationsDto, translationsIn, TranslationsQuery } from './translations.dto.js';

const MEDIA_TYPES: Record<FileFormat, string> = {
  xliff: 'application/xliff+xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Creates the base controller for the translations of templates or modules. */
function translationsController(type: DocumentType): Type<object> {
  const { kind } = type;
  const operation = translationOperations(kind, documentResponses(kind).Document);

  // TypeScript emits the types of constructor parameters only for decorated classes. Nest needs these types to inject
  // the dependencies of subclasses.
  @Injectable()
  class TranslationsController {
    constructor(private readonly translating: Translating) {}

    @operation.languages
    languages(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @QueryDto() { version }: TranslationsQuery,
      @CurrentSlot() slot: Slot,
    ) {
      return this.translating.languages(type, actor, id, version, slot);
    }

    @operation.texts
    texts(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathLanguage() language: string,
      @QueryDto() { version }: TranslationsQuery,
      @CurrentSlot() slot: Slot,
    ) {
      return this.translating.texts(type, actor, { id, language }, version, slot);
    }

    @operation.xliff
    async xliff(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathLanguage() language: string,
      @QueryDto() { version }: TranslationsQuery,
      @Res({ passthrough: true }) reply: FastifyReply,
      @CurrentSlot() slot: Slot,
    ) {
      const options = { version, format: 'xliff' } as const;
      const file = await this.translating.file(type, actor, { id, language }, options, slot);
      void reply.header('content-type', MEDIA_TYPES.xliff);
      return file;
    }

    @operation.csv
    async csv(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathLanguage() language: string,
      @QueryDto() { version }: TranslationsQuery,
      @Res({ passthrough: true }) reply: FastifyReply,
      @CurrentSlot() slot: Slot,
    ) {
      const options = { version, format: 'csv' } as const;
      const file = await this.translating.file(type, actor, { id, language }, options, slot);
      void reply.header('content-type', MEDIA_TYPES.csv);
      return file;
    }

    @operation.store
    store(
      @CurrentActor() actor: Actor,
      @PathId(kind) id: string,
      @PathLanguage() language: string,
      @BodyDto() body: StoreTranslationsDto,
      @IfMatch() precondition: Precondition,
      @CurrentSlot() slot: Slot,
    ) {
      const translations = translationsIn(body);
      const target = { id, language };
      return this.translating.store(type, actor, target, translations, precondition, slot);
    }
  }
  return TranslationsController;
}

@ApiTags('Translations')
@Controller('api/templates/:id/translations')
export class TemplateTranslationsController extends translationsController(TEMPLATE) {}

@ApiTags('Translations')
@Controller('api/modules/:id/translations')
export class ModuleTranslationsController extends translationsController(MODULE) {}
