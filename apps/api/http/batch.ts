import { applyDecorators, type PipeTransform, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { inSlices } from '#database';
import { DomainError, MAX_DETAILS, missingAt, type ErrorDetail } from '#errors';
import { Equals, IsString } from 'class-validator';
import { invalid, toDto, type DtoClass } from './dto.pipe.js';
import { check, IfGiven, isId } from './fields.js';
import { IsEntityTag } from './if-match.js';
import { isRecord, MAX_OPERATIONS, NOT_OPERATIONS } from '../bodies/json-body.js';
import { byAction, ID } from './schemas.js';

/** The operations of a batch, which `EachOperation` looks into. */
export const AreOperations = (dtos: Record<'create' | 'update' | 'delete', Type>) =>
  check(
    'areOperations',
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= MAX_OPERATIONS
        ? undefined
        : NOT_OPERATIONS,
    {
      ...{ type: 'array', items: byAction(dtos) },
      ...{ minItems: 1, maxItems: MAX_OPERATIONS },
    },
  );

/** What an operation does. */
export const IsAction = (action: 'create' | 'update' | 'delete') =>
  applyDecorators(ApiProperty({ enum: [action], description: 'What it does.' }), Equals(action));

/** What an update or a deletion is about, and in which state it was seen. */
export abstract class OperationOnExisting {
  @ApiProperty({ ...ID, description: 'What it is about; no two operations are about the same.' })
  @IsString({ message: '$property must be a string' })
  id!: string;

  @IfGiven()
  @IsEntityTag()
  ifMatch?: string;
}

interface Batch {
  operations: unknown[];
}

interface Operation {
  id?: string;
}

// All else in an update is what it changes.
const TARGET = ['action', 'id', 'ifMatch'];

// They take 0.1 ms.
const OPERATIONS_BETWEEN_CHECKPOINTS = 5;

/** Validates each operation of a batch by the DTO of its action, as if it were a body of its own. */
export class EachOperation implements PipeTransform<Batch, Promise<Batch>> {
  constructor(
    private readonly what: string,
    private readonly dtos: Record<'create' | 'update' | 'delete', DtoClass>,
  ) {}

  async transform(batch: Batch): Promise<Batch> {
    return inSlices(this.check(batch));
  }

  private *check(batch: Batch): Generator<void, Batch> {
    const faults: ErrorDetail[] = [];
    for (const [at, operation] of batch.operations.entries()) {
      faults.push(...this.faultsOf(operation, `operations.${at}`));
      if (faults.length >= MAX_DETAILS) break;
      if (at % OPERATIONS_BETWEEN_CHECKPOINTS === 0) yield;
    }
    if (faults.length > 0) throw invalid(faults);
    const operations = batch.operations as Operation[];
    for (const operation of operations) {
      if (operation.id !== undefined) operation.id = operation.id.toLowerCase();
    }
    this.requireIds(operations);
    return batch;
  }

  private faultsOf(operation: unknown, path: string): ErrorDetail[] {
    if (!isRecord(operation)) return [{ path, message: `${path} must be an object` }];
    const { action } = operation;
    const Dto = Object.entries(this.dtos).find(([name]) => name === action)?.[1];
    if (Dto === undefined)
      return [under(path, 'action', 'action must be create, update or delete')];
    const { faults } = toDto(Dto, operation);
    if (faults.length > 0) return faults.map((fault) => under(path, fault.path, fault.message));
    return action === 'update' && Object.keys(operation).every((name) => TARGET.includes(name))
      ? [{ path, message: `${path} must name at least one field to change` }]
      : [];
  }

  private requireIds(operations: readonly Operation[]): void {
    const repeated: ErrorDetail[] = [];
    const malformed: ErrorDetail[] = [];
    const places = new Map<string, number>();
    for (const [at, { id }] of operations.entries()) {
      if (id === undefined) continue;
      const first = places.get(id);
      if (first !== undefined) {
        repeated.push(under(`operations.${at}`, 'id', `id is that of operations.${first} as well`));
      }
      places.set(id, first ?? at);
      if (!isId(id)) malformed.push(missingAt(`operations.${at}`));
    }
    if (repeated.length > 0) throw invalid(repeated);
    if (malformed.length > 0)
      throw DomainError.notFound(this.what, malformed.slice(0, MAX_DETAILS));
  }
}

/** Every message begins with the name of its field. */
const under = (path: string, field: string, message: string): ErrorDetail => ({
  path: `${path}.${field}`,
  message: `${path}.${message}`,
});
