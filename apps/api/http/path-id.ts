import { Param, type PipeTransform } from '@nestjs/common';
import { DomainError } from '#errors';
import { isId } from './fields.js';

class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly what: string) {}

  transform(text: string): string {
    if (!isId(text)) throw DomainError.notFound(this.what);
    return text.toLowerCase();
  }
}

class NumberPipe implements PipeTransform<string, number> {
  constructor(private readonly what: string) {}

  transform(text: string): number {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw DomainError.notFound(this.what);
    return Number(text);
  }
}

/** The id in a path. A malformed one is that of nothing. */
export const PathId = (what: string, name = 'id') => Param(name, new IdPipe(what));

/** A number in a path that counts from 1, such as that of a version. */
export const PathNumber = (name: string) => Param(name, new NumberPipe(name));
