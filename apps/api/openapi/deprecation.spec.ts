import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import { deriveResponses } from './derive-responses.js';
import { addResponseHeaders } from '../operations/response-headers.js';
import { checkNoticePeriod, type Deprecation } from '../operations/deprecation.js';
import { ErrorFilter } from '../http/error.filter.js';
import { Operation } from '../operations/operation.js';

const deprecated: Deprecation = {
  since: '2026-12-01',
  sunset: '2027-12-31',
  replacement: 'Use `listDishes`.',
};

@Controller('menu')
class MenuController {
  @Operation({ id: 'getMenu', summary: 'Get the menu', role: 'viewer', deprecated })
  @Get()
  get() {
    return { dishes: [] };
  }

  @Operation({
    id: 'orderAll',
    summary: 'Order all of it',
    errors: { conflict: 'Sold out.' },
    deprecated,
  })
  @Post()
  order(): never {
    throw new DomainError('conflict', 'Sold out.');
  }

  @Operation({ id: 'listDishes', summary: 'List the dishes' })
  @Get('dishes')
  list() {
    return { data: [] };
  }
}

@Module({
  controllers: [MenuController],
  providers: [{ provide: APP_FILTER, useClass: ErrorFilter }],
})
class RestaurantModule {}

let app: NestFastifyApplication;

beforeAll(async () => {
  app = await NestFactory.create(RestaurantModule, new FastifyAdapter(), { logger: false });
  addResponseHeaders(app.getHttpAdapter().getInstance());
  await app.init();
});
afterAll(() => app.close());

const headers = {
  deprecation: '@1796083200',
  sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
  link: '</docs>; rel="deprecation"; type="text/html"',
};

it.each([
  ['a response', 'GET', undefined, 200],
  ['a response to HEAD', 'HEAD', undefined, 200],
  ['an error', 'POST', '{}', 409],
  ['an error before the route', 'POST', '{', 400],
] as const)(
  '%s of a deprecated operation has the deprecation headers',
  async (_what, method, payload, status) => {
    const response = await app.inject({
      method,
      url: '/menu',
      headers: { 'content-type': 'application/json' },
      ...(payload && { payload }),
    });
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(headers);
  },
);

it.each(['/menu/dishes', '/nothing'])('%s has no deprecation headers', async (url) => {
  const response = await app.inject(url);
  for (const name of Object.keys(headers)) expect(response.headers).not.toHaveProperty(name);
});

it('the OpenAPI document marks a deprecated operation and all its responses', () => {
  const { paths } = deriveResponses(
    SwaggerModule.createDocument(app, new DocumentBuilder().build()),
  );
  const { get: menu, post: order } = paths['/menu'] ?? {};
  expect(menu?.deprecated).toBe(true);
  expect(menu?.description).toMatch(/be removed on or after 2027-12-31\. Use `listDishes`\.$/);
  const statuses = ['200', '400', '401', '403', '404', '429', '500', '503'];
  expect(Object.keys(menu?.responses ?? {})).toEqual(statuses);
  const responses = [menu, order].flatMap((operation) => Object.values(operation?.responses ?? {}));
  for (const response of responses) {
    expect(response).toMatchObject({
      headers: {
        'x-request-id': {},
        Deprecation: { required: true, example: headers.deprecation },
        Sunset: { required: true, example: headers.sunset },
        Link: { required: true, example: headers.link },
      },
    });
  }
  expect(order?.responses['409']).toMatchObject({ description: 'Sold out.' });
  const dishes = paths['/menu/dishes']?.get;
  expect(dishes).not.toHaveProperty('deprecated');
  expect(JSON.stringify(dishes)).not.toContain('Sunset');
});

it('a deprecated operation has a notice period of at least a year', () => {
  expect(() => checkNoticePeriod('getMenu', { ...deprecated, sunset: '2027-11-30' })).toThrow(
    'a year',
  );
  expect(() => checkNoticePeriod('getMenu', { ...deprecated, sunset: '2028-13-01' })).toThrow(
    'a year',
  );
  expect(() => checkNoticePeriod('getMenu', deprecated)).not.toThrow();
});
