import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { build, rootDirectory, type ApiConfig } from '#config';
import type { RouteHandlerMethod } from 'fastify';
import { setPagePolicy } from '../http/security-headers.js';
import { StaticDocument } from './static-document.js';

const SETTINGS_PATH = '/settings';
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const directory = join(rootDirectory, 'dist/apps/settings');

// The headers of the page that previews emails in a frame. The rest of its policy is in a meta element, where these
// directives are not allowed. `sandbox` gives the page an opaque origin even if it is opened outside the frame.
const FRAME_HEADERS = {
  'content-security-policy': "sandbox allow-scripts; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

type SettingsOptions = Pick<
  ApiConfig,
  | 'AUTH_ISSUER'
  | 'AUTH_AUDIENCE'
  | 'AUTH_CLIENT_ID'
  | 'AUTH_CLIENT_TOKEN'
  | 'SAMPLE_RECEIVER_URL'
  | 'SMTP_URL'
>;

/**
 * Serves `/settings`: the page of apps/settings, which is built separately. All paths below `/settings`, except
 * for `config.json` and `assets/`, get the same HTML, because the page has its own routes.
 */
export async function serveSettings(
  app: NestFastifyApplication,
  options: SettingsOptions,
): Promise<void> {
  const { AUTH_ISSUER: issuer, AUTH_CLIENT_ID: clientId } = options;
  if (clientId === undefined || issuer === undefined) return;
  const html = await readPage();
  if (html === undefined) return;
  const fastify = app.getHttpAdapter().getInstance();
  const issuerOrigin = new URL(issuer).origin;
  const sendPage: RouteHandlerMethod = (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    setPagePolicy(reply, {
      'script-src': [`'self'`],
      // Mantine adds style elements for its variables.
      'style-src': [`'self'`, `'nonce-${nonce}'`],
      'font-src': [`'self'`],
      // The email preview is a frame with its own policy.
      'frame-src': [`'self'`],
      // The page fetches its sign-in configuration and its tokens from the identity provider.
      'connect-src': [`'self'`, issuerOrigin],
    });
    // A cached page would reuse its nonce.
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replace(NONCE_PLACEHOLDER, nonce));
  };

  fastify.get(SETTINGS_PATH, sendPage);
  fastify.get(`${SETTINGS_PATH}/*`, sendPage);
  const pageConfig = JSON.stringify({
    apiUrl: '',
    issuer,
    clientId,
    audience: options.AUTH_AUDIENCE,
    token: options.AUTH_CLIENT_TOKEN,
    sampleReceiverUrl: options.SAMPLE_RECEIVER_URL,
    hasTestEmails: options.SMTP_URL !== undefined,
    version: build,
  });
  const config = new StaticDocument('application/json; charset=utf-8', pageConfig);
  fastify.get(`${SETTINGS_PATH}/config.json`, (request, reply) =>
    config.send(request, reply.header('cache-control', 'no-cache')),
  );
  await fastify.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: `${SETTINGS_PATH}/assets/`,
    decorateReply: false,
    preCompressed: true,
    // The name of each file contains a hash of its content.
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply, path) => {
      if (path.endsWith('.html')) void reply.headers(FRAME_HEADERS);
    },
  });
}

async function readPage(): Promise<string | undefined> {
  try {
    return await readFile(join(directory, 'index.html'), 'utf8');
  } catch (error) {
    new Logger('Settings').error({
      err: error,
      stage: 'settings area',
      message: 'The settings area is unavailable because it has not been built: run npm run build.',
    });
    return undefined;
  }
}
