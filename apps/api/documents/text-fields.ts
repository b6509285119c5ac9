import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { textFieldsOf, type DocumentKind, type Texts } from '#documents';
import { IsText, Optional } from '../validation/fields.js';

/** Adds the text fields of templates or modules to a request DTO. */
export function addTexts(Dto: Type, kind: DocumentKind, defaultValue?: string): void {
  for (const [name, { maxLength, description }] of textFieldsOf(kind)) {
    const decorate = applyDecorators(IsText(maxLength), Optional(description, defaultValue));
    (decorate as PropertyDecorator)(Dto.prototype as object, name);
  }
}

/** Adds the list filters for the text fields of templates or modules to a query DTO. */
export function addTextFilters(Query: Type, kind: DocumentKind): void {
  for (const [name, { maxLength, filter }] of textFieldsOf(kind)) {
    if (filter === undefined) continue;
    const decorate = applyDecorators(IsText(maxLength), Optional(filter));
    (decorate as PropertyDecorator)(Query.prototype as object, name);
  }
}

/**
 * Adds the text fields of templates or modules to a response. With `inEvents`, adds only the fields that events
 * contain.
 */
export function withTexts<Base extends object, Kind extends DocumentKind>(
  BaseResponse: Type<Base>,
  kind: Kind,
  { inEvents = false } = {},
): Type<Base & Texts<Kind>> {
  class WithTexts extends (BaseResponse as Type<object>) {}
  for (const [name, { description, isInEvents }] of textFieldsOf(kind)) {
    if (inEvents && !isInEvents) continue;
    ApiProperty({ type: String, description })(WithTexts.prototype, name);
  }
  return WithTexts as unknown as Type<Base & Texts<Kind>>;
}

/** Sets the name of a class, which becomes the name of its schema in the OpenAPI document. */
export function setSchemaName<Class extends Type>(name: string, Class: Class): Class {
  Object.defineProperty(Class, 'name', { value: name });
  return Class;
}
