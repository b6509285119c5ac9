import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { loadApiConfig } from '#config';
import { ApiModule } from './api.module.js';
import { createOpenApiDocument } from './openapi/document.js';

/** Creates the same OpenAPI document that the API serves. Needs neither a database nor other services. */
export async function previewDocument(): Promise<OpenAPIObject> {
  const config = loadApiConfig({
    DATABASE_URL: 'postgres://127.0.0.1/none',
    AUTH_ISSUER: 'https://none.example',
    AUTH_AUDIENCE: 'none',
    SECRETS_KEYS: randomBytes(32).toString('base64'),
  });
  const app = await NestFactory.create(ApiModule.forRoot(config), new FastifyAdapter(), {
    preview: true,
    logger: false,
  });
  return createOpenApiDocument(app);
}
