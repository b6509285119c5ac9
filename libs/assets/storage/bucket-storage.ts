import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { DomainError } from '#errors';
import { requireKey, type Bucket, type Storage, type StoredFile } from './storage.js';

// A lost server must not keep the slots of uploads for longer than callers wait.
const CONNECT_TIMEOUT_MS = 3_000;
const SOCKET_TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 2;

/** Stores files as objects of an S3 bucket. */
export class BucketStorage implements Storage {
  readonly uploadFolder = tmpdir();
  private readonly client: S3Client;

  constructor(private readonly location: Bucket) {
    const { endpoint, region, credentials } = location;
    this.client = new S3Client({
      region,
      endpoint,
      ...(credentials && { credentials }),
      // Compatible servers rarely have a name for each bucket.
      forcePathStyle: true,
      maxAttempts: MAX_ATTEMPTS,
      // Other servers than Amazon's do not know the checksums that the SDK adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: SOCKET_TIMEOUT_MS },
    });
  }

  async put(key: string, file: string, mediaType: string): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { ...this.objectOf(key), Body: createReadStream(file), ContentType: mediaType },
    });
    await upload.done().catch(explainFailure);
  }

  async get(key: string): Promise<StoredFile | undefined> {
    const command = new GetObjectCommand(this.objectOf(key));
    try {
      const { Body, ContentLength } = await this.client.send(command);
      if (Body === undefined || ContentLength === undefined) return undefined;
      return { bytes: ContentLength, stream: Body as Readable };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      return explainFailure(error);
    }
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.objectOf(key));
    await this.client.send(command).catch(explainFailure);
  }

  close(): void {
    this.client.destroy();
  }

  private objectOf(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.location;
    return { Bucket: bucket, Key: prefix + requireKey(key) };
  }
}

/** The message of the server may contain the name of the bucket, so only the log has it. */
function explainFailure(cause: unknown): never {
  const error = DomainError.unavailable('The storage of pictures does not respond; retry later.');
  throw Object.assign(error, { cause });
}
