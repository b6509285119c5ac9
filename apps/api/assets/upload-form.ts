import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Upload, UploadFields } from '#assets';
import { DomainError, errorCodes } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MIN_UPLOAD_RATE, enforceMinUploadRate } from '../bodies/min-upload-rate.js';
import { FORM_BYTES, uploadTooLarge } from '../bodies/upload-limits.js';
import { clientDisconnectedError } from '../http/client-disconnect.js';
import { validateDto } from '../validation/dto.js';
import { UploadFieldsDto } from './assets.dto.js';

// The longest field is a name of 255 characters, each of which may take 4 bytes.
const MAX_FIELD_BYTES = 2048;
// Each tag may be a part of its own.
const MAX_FIELDS = 30;
const MAX_HEADERS = 20;
const MAX_FILE_NAME_LENGTH = 255;

/**
 * Injects the upload of a request whose operation has `upload`. The handler reads the body, after it has found out
 * whether the caller may upload anything.
 */
export const UploadedForm = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Upload => {
    const http = context.switchToHttp();
    const form = new UploadForm(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
    );
    return { read: (store) => form.read(store) };
  },
);

/** Reads a body of the type multipart/form-data as a stream: one file and some short fields. */
class UploadForm {
  private readonly maxBytes: number;
  private readonly fields = new Map<string, string[]>();
  private fileName = '';
  private file: Readable | undefined;
  private stored: Promise<void> | undefined;
  private problem: Error | undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    this.maxBytes = request.routeOptions.bodyLimit;
  }

  async read(
    store: (file: Readable) => Promise<void>,
  ): Promise<UploadFields & { fileName: string }> {
    const { raw } = this.request;
    const form = this.openForm(store);
    const fail = (error: Error) => {
      this.problem ??= error;
      form.destroy(error);
    };
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.maxBytes) fail(uploadTooLarge(this.maxBytes));
    };
    const abort = () => {
      if (!raw.complete) fail(clientDisconnectedError());
    };
    const stopWatching = this.refuseSlowBody(fail);
    raw.on('data', count).on('error', abort).on('close', abort).pipe(form);
    try {
      await finished(form);
      await this.stored;
    } catch (error) {
      const problem = this.problem ?? malformed(error);
      // Without an error, the pipeline that stores the file would wait for the end of the file.
      this.file?.destroy(problem);
      throw problem;
    } finally {
      stopWatching();
      // Without `resume`, the rest of the body would block the next request of the connection.
      raw.unpipe(form).off('data', count).off('close', abort).resume();
    }
    if (this.problem !== undefined) throw this.problem;
    if (this.stored === undefined) throw missingFile();
    return { fileName: this.fileName || 'picture', ...validateFields(this.fields) };
  }

  private openForm(store: (file: Readable) => Promise<void>): BusboyInstance {
    const form = createParser(this.request);
    const note = (path: string, message: string) => {
      this.problem ??= DomainError.invalid(path, message);
    };
    form.on('field', (name, value, isNameTruncated, isTruncated) => {
      if (isNameTruncated || isTruncated) note(name, `${name} is too long`);
      else this.fields.set(name, [...(this.fields.get(name) ?? []), value]);
    });
    form.on('file', (name, file, fileName: string | undefined) => {
      if (name !== 'file' || this.file !== undefined) {
        note(name, `${name} must be one file with the name file`);
        file.resume();
        return;
      }
      this.file = file;
      // The name of the file becomes the name of the picture, which has no control characters.
      const readable = (fileName ?? '').toWellFormed().replace(/\p{Cc}+/gu, ' ');
      this.fileName = readable.slice(0, MAX_FILE_NAME_LENGTH).toWellFormed().trim();
      file.on('limit', () => {
        this.problem ??= uploadTooLarge(this.maxBytes);
        form.destroy(this.problem);
      });
      // A file that is destroyed fails because of us, for example because the disk is full.
      file.on('error', (error) => {
        if (!file.destroyed) this.problem ??= malformed(error);
      });
      this.stored = store(file);
      this.stored.catch((error: unknown) => {
        this.problem ??= error as Error;
        form.destroy(this.problem);
      });
    });
    // `finished` gets the error. A later one, of a form that has failed, must not end the process.
    form.on('error', () => undefined);
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(limit, () => note('file', 'the form has too many parts'));
    }
    return form;
  }

  /** The body holds a slot for uploads while it arrives. Its time is counted from the first read, not from its wait. */
  private refuseSlowBody(fail: (error: Error) => void): () => void {
    const { raw, headers } = this.request;
    const bytes = Number(headers['content-length'] ?? this.maxBytes);
    return enforceMinUploadRate(raw, bytes, MIN_UPLOAD_RATE, () => {
      void this.reply.header('connection', 'close');
      fail(new DomainError('timeout', errorCodes.timeout.message));
    });
  }
}

function createParser({ headers, routeOptions: { bodyLimit } }: FastifyRequest): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fileSize: bodyLimit - FORM_BYTES,
        files: 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        headerPairs: MAX_HEADERS,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

/** Tags may be fields of their own, or one field with commas. */
function validateFields(fields: ReadonlyMap<string, string[]>): UploadFields {
  const values = [...fields].map(([name, texts]) => {
    if (name === 'tags') return [name, texts.flatMap((text) => text.split(','))];
    if (texts.length > 1) {
      throw DomainError.invalid(name, `${name} must not be given more than once`);
    }
    return [name, texts[0]];
  });
  return validateDto(UploadFieldsDto, Object.fromEntries(values));
}

const missingFile = () =>
  DomainError.invalid('file', 'file is missing: send the picture as a part named file');

const malformed = (cause: unknown) =>
  Object.assign(DomainError.invalid('body', 'The body is not valid multipart/form-data.'), {
    cause,
  });
