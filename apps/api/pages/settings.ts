import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { rootDirectory, type ApiConfig } from '#config';
import type { FastifyReply } from 'fastify';

const SETTINGS_PATH = '/settings';
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const directory = join(rootDirectory, 'dist/apps/settings');

type SettingsOptions = Pick<
  ApiConfig,
  'AUTH_ISSUER' | 'AUTH_AUDIENCE' | 'AUTH_CLIENT_ID' | 'AUTH_CLIENT_TOKEN' | 'SAMPLE_RECEIVER_URL'
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
  const sendPage = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'content-security-policy': contentSecurityPolicy(nonce, issuerOrigin),
        // A cached page would use its nonce again.
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(html.replace(NONCE_PLACEHOLDER, nonce));
  };

  fastify.get(SETTINGS_PATH, (_request, reply) => sendPage(reply));
  fastify.get(`${SETTINGS_PATH}/*`, (_request, reply) => sendPage(reply));
  const pageConfig = {
    apiUrl: '',
    issuer,
    clientId,
    audience: options.AUTH_AUDIENCE,
    token: options.AUTH_CLIENT_TOKEN,
    sampleReceiverUrl: options.SAMPLE_RECEIVER_URL,
  };
  fastify.get(`${SETTINGS_PATH}/config.json`, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(pageConfig),
  );
  await fastify.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: `${SETTINGS_PATH}/assets/`,
    decorateReply: false,
    preCompressed: true,
    // Each file has a hash of its content in its name.
    immutable: true,
    maxAge: '365d',
  });
}

async function readPage(): Promise<string | undefined> {
  try {
    return await readFile(join(directory, 'index.html'), 'utf8');
  } catch (error) {
    new Logger('Settings').error({
      err: error,
      stage: 'settings area',
      message: 'The settings area is not served because it is not built: run npm run build.',
    });
    return undefined;
  }
}

const contentSecurityPolicy = (nonce: string, issuerOrigin: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    // Mantine adds style elements for its variables.
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    // The preview of an email, which has a policy of its own.
    `frame-src 'self'`,
    // The page fetches its sign-in configuration and its tokens from the identity provider.
    `connect-src 'self' ${issuerOrigin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
