import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { runInSlices } from '#time-slices';
import { DomainError, MAX_DETAILS, missingDetail, type ErrorDetail } from '#errors';
import { Equals, IsString } from 'class-validator';
import { validationError, parseDto, type DtoClass } from './dto.js';
import { IsEntityTag } from './entity-tag.js';
import { fieldRule, Optional, isId } from './fields.js';
import { BodyDto } from './inputs.js';
import { isRecord, MAX_BATCH_OPERATIONS, INVALID_OPERATIONS_MESSAGE } from '../json/json-body.js';
import { discriminatedByAction, ID_SCHEMA } from './schemas.js';

type BatchAction = 'create' | 'update' | 'upsert' | 'delete';

/**
 * The list of operations in a batch. This rule checks only the number of operations; `BatchBody` validates each
 * operation.
 */
export const IsBatchOf = (dtos: Record<BatchAction, Type>) =>
  fieldRule(
    'isBatch',
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= MAX_BATCH_OPERATIONS
        ? undefined
        : INVALID_OPERATIONS_MESSAGE,
    {
      type: 'array',
      items: discriminatedByAction(dtos),
      minItems: 1,
      maxItems: MAX_BATCH_OPERATIONS,
    },
  );

export const IsAction = (action: BatchAction) =>
  applyDecorators(
    ApiProperty({ enum: [action], description: 'What the operation does.' }),
    Equals(action),
  );

/** The fields that update and delete operations share. */
export abstract class OperationOnExisting {
  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The id of the resource. No two operations may name the same resource.',
  })
  @IsString({ message: '$property must be a string' })
  id!: string;

  @Optional()
  @IsEntityTag()
  ifMatch?: string;
}

interface Batch {
  operations: unknown[];
}

interface BatchOperation {
  id?: string;
  externalId?: string | null;
}

// Fields of an update operation that do not change the resource.
const TARGET_FIELDS = ['action', 'id', 'ifMatch'];

// Validating this many operations takes 0.1 ms.
const OPERATIONS_BETWEEN_CHECKPOINTS = 5;

type OperationDtos = Record<BatchAction, DtoClass>;

/**
 * Injects the body of a batch. Each operation is validated by the DTO of its action, like the body of a single request.
 */
export function BatchBody(
  resourceName: string,
  Type: DtoClass,
  dtos: OperationDtos,
): ParameterDecorator {
  const validator = new BatchValidator(resourceName, dtos);
  return BodyDto(Type, (batch) => runInSlices(validator.validate(batch as Batch)));
}

class BatchValidator {
  constructor(
    private readonly resourceName: string,
    private readonly dtos: OperationDtos,
  ) {}

  *validate(batch: Batch): Generator<void, Batch> {
    const violations: ErrorDetail[] = [];
    for (const [index, operation] of batch.operations.entries()) {
      violations.push(...this.validateOperation(operation, `operations.${index}`));
      if (violations.length >= MAX_DETAILS) break;
      if (index % OPERATIONS_BETWEEN_CHECKPOINTS === 0) yield;
    }
    if (violations.length > 0) throw validationError(violations);
    const operations = batch.operations as BatchOperation[];
    for (const operation of operations) {
      if (operation.id !== undefined) operation.id = operation.id.toLowerCase();
    }
    refuseDuplicates(operations, 'id');
    refuseDuplicates(operations, 'externalId');
    this.checkIds(operations);
    return batch;
  }

  private validateOperation(operation: unknown, path: string): ErrorDetail[] {
    if (!isRecord(operation)) return [{ path, message: `${path} must be an object` }];
    const { action } = operation;
    const Dto = Object.entries(this.dtos).find(([name]) => name === action)?.[1];
    if (Dto === undefined)
      return [prefixed(path, 'action', 'action must be create, update, upsert or delete')];
    const { violations } = parseDto(Dto, operation);
    if (violations.length > 0)
      return violations.map((violation) => prefixed(path, violation.path, violation.message));
    return action === 'update' &&
      Object.keys(operation).every((name) => TARGET_FIELDS.includes(name))
      ? [{ path, message: `${path} must contain at least one field to change` }]
      : [];
  }

  private checkIds(operations: readonly BatchOperation[]): void {
    const malformed = operations.flatMap(({ id }, index) =>
      id === undefined || isId(id) ? [] : [missingDetail(`operations.${index}`)],
    );
    if (malformed.length > 0)
      throw DomainError.notFound(this.resourceName, malformed.slice(0, MAX_DETAILS));
  }
}

/** No two operations may name the same document, or give two documents the same external id. */
function refuseDuplicates(operations: readonly BatchOperation[], field: 'id' | 'externalId'): void {
  const duplicates: ErrorDetail[] = [];
  const firstIndexes = new Map<string, number>();
  for (const [index, { [field]: value }] of operations.entries()) {
    if (typeof value !== 'string') continue;
    const firstIndex = firstIndexes.get(value);
    if (firstIndex === undefined) firstIndexes.set(value, index);
    else {
      const message = `${field} is the same as in operations.${firstIndex}`;
      duplicates.push(prefixed(`operations.${index}`, field, message));
    }
  }
  if (duplicates.length > 0) throw validationError(duplicates.slice(0, MAX_DETAILS));
}

/** Prefixes a message with the path of the operation. Every message begins with the name of its field. */
const prefixed = (path: string, field: string, message: string): ErrorDetail => ({
  path: `${path}.${field}`,
  message: `${path}.${message}`,
});
