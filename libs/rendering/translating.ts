import { Injectable } from '@nestjs/common';
import {
  Documents,
  DocumentStore,
  type Document,
  type DocumentKind,
  type DocumentType,
} from '#documents';
import { DomainError, entityTag, parsePrecondition, type Precondition } from '#errors';
import { JsonText } from '#json';
import type { Actor } from '#workspaces';
import type { WaitingRequest } from './render-job.js';
import { Renderer } from './renderer.js';
import type {
  FileFormat,
  Progress,
  ReadTask,
  TextInLanguage,
  TranslationsRead,
  WriteTask,
} from './translations/index.js';

/** A document and a canonical language. */
interface Target {
  id: string;
  language: string;
}

interface Languages {
  version: number;
  /** The language of the document; null if the document does not say it. */
  sourceLanguage: string | null;
  languages: Progress[];
}

export interface TextsInLanguage {
  version: number;
  sourceLanguage: string | null;
  language: string;
  texts: TextInLanguage[];
}

/** The slot of a request. The request gives its slot up while it waits for a thread. */
interface Slot extends WaitingRequest {
  readonly takeAgain: () => Promise<void>;
}

/** Reads and writes the texts of templates and modules in other languages. */
@Injectable()
export class Translating {
  constructor(
    private readonly renderer: Renderer,
    private readonly documents: Documents,
    private readonly documentStore: DocumentStore,
  ) {}

  async languages(
    type: DocumentType,
    actor: Actor,
    id: string,
    version: number | undefined,
    slot: Slot,
  ): Promise<Languages> {
    const read = await this.read(type, actor, id, version, {}, slot);
    const { languages = [], sourceLanguage } = read;
    return { version: read.version, sourceLanguage, languages };
  }

  async texts(
    type: DocumentType,
    actor: Actor,
    { id, language }: Target,
    version: number | undefined,
    slot: Slot,
  ): Promise<TextsInLanguage> {
    const read = await this.read(type, actor, id, version, { language }, slot);
    const { texts = [], sourceLanguage } = read;
    return { version: read.version, sourceLanguage, language, texts };
  }

  /** Writes the texts of a language as a file for translators. */
  async file(
    type: DocumentType,
    actor: Actor,
    { id, language }: Target,
    { version, format }: { version?: number | undefined; format: FileFormat },
    slot: Slot,
  ): Promise<string> {
    const { file = '' } = await this.read(type, actor, id, version, { language, format }, slot);
    return file;
  }

  /**
   * Stores translations in a new version of the document.
   *
   * The document must not change while a thread reads the translations.
   *
   * @throws DomainError `invalid` if a translation does not match the document. Nothing is stored then.
   */
  async store<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    { id, language }: Target,
    translations: Pick<WriteTask, 'texts' | 'file'>,
    precondition: Precondition | undefined,
    slot: Slot,
  ): Promise<Document<Kind>> {
    // A replica may be behind, and the new version is made of what was read.
    const document = await this.documents.get(type, { ...actor, needsLatest: true }, id);
    const { workspaceId, content, updatedAt } = document;
    const seen = parsePrecondition(precondition);
    const tag = entityTag(document);
    if (seen && !seen.some((time) => time.getTime() === updatedAt.getTime())) {
      throw DomainError.stale(tag);
    }
    const task: WriteTask = { action: 'write', content: content.text, language, ...translations };
    const request = { tenant: () => workspaceId, waiting: slot };
    const written = new JsonText(await this.renderer.writeTranslations(task, request));
    await slot.takeAgain();
    const { maxExpandedBytes } = this.documentStore;
    if (written.byteLength > maxExpandedBytes) {
      const message = `With these translations, the document would be larger than ${maxExpandedBytes} bytes. Nothing was stored.`;
      throw new DomainError('invalid', message);
    }
    return this.documents.update(type, actor, id, { content: written }, [tag]);
  }

  private async read(
    type: DocumentType,
    actor: Actor,
    id: string,
    version: number | undefined,
    options: Pick<ReadTask, 'language' | 'format'>,
    waiting: Slot,
  ): Promise<TranslationsRead & { version: number }> {
    // Loads the document in any case, because versions are loaded without the workspace.
    const current = await this.documents.get(type, actor, id);
    const selected =
      version === undefined || version === current.version
        ? current
        : await this.documents.getVersion(type, actor, id, version);
    const task: ReadTask = { action: 'read', content: selected.content.text, ...options };
    const request = { tenant: () => current.workspaceId, waiting };
    const read = await this.renderer.readTranslations(task, request);
    return { ...read, version: selected.version };
  }
}
