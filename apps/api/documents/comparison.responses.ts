import { ApiProperty } from '@nestjs/swagger';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA } from '../validation/schemas.js';

const anyOfTypes = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) });
const ANY_VALUE = anyOfTypes('object', 'array', 'string', 'number', 'boolean', 'null');

class ComparedVersionResponse {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  version!: number;

  @ApiProperty()
  name!: string;
}

class ChangeCountsResponse {
  @ApiProperty({ type: 'integer', minimum: 0 })
  added!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  removed!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  moved!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  changed!: number;
}

class TextChangeResponse {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  before!: string;

  @ApiProperty()
  after!: string;
}

class FieldChangeResponse {
  @ApiProperty({
    description: 'The path from the node to the value: field names, separated by dots.',
  })
  name!: string;

  @ApiProperty({
    required: false,
    ...ANY_VALUE,
    description:
      'The value in `from`; omitted if the field is new, or if the value does not fit into the response. Then `isComplete` is false.',
  })
  before?: unknown;

  @ApiProperty({
    required: false,
    ...ANY_VALUE,
    description:
      'The value in `to`; omitted if the field is gone, or if the value does not fit into the response. Then `isComplete` is false.',
  })
  after?: unknown;
}

class NodeChangeResponse {
  @ApiProperty(enumProperty('ChangeType'))
  type!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The JSON Pointer (RFC 6901) to the node in the document of `to`; null if the node was removed. The pointer to the whole document is empty.',
  })
  path!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The JSON Pointer to the node in the document of `from`; null if the node was added.',
  })
  fromPath!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `type` of the node, if it is a string.',
  })
  nodeType!: string | null;

  @ApiProperty({
    ...anyOfTypes('string', 'number', 'null'),
    description: 'The `id` of the node, if it is a string or a number.',
  })
  nodeId!: string | number | null;

  @ApiProperty({
    ...enumProperty('MatchReason'),
    nullable: true,
    description: 'Null if the node was added or removed.',
  })
  matchedBy!: string | null;

  @ApiProperty({
    type: [FieldChangeResponse],
    description: 'The fields that differ, if `type` is `changed`; otherwise empty.',
  })
  fields!: FieldChangeResponse[];

  @ApiProperty({ description: 'The change in plain English. The wording may change.' })
  sentence!: string;
}

export class ComparisonResponse {
  @ApiProperty({ type: ComparedVersionResponse })
  from!: ComparedVersionResponse;

  @ApiProperty({ type: ComparedVersionResponse })
  to!: ComparedVersionResponse;

  @ApiProperty({
    description:
      'Whether the two documents mean the same thing. White space, the order of fields, escapes and the spelling of numbers do not matter: `1.0` and `1` are equal.',
  })
  identical!: boolean;

  @ApiProperty({ description: 'Whether the two documents are equal byte by byte.' })
  identicalText!: boolean;

  @ApiProperty({
    type: ChangeCountsResponse,
    description: 'The numbers of all changes, including those that `changes` leaves out.',
  })
  counts!: ChangeCountsResponse;

  @ApiProperty({
    type: [NodeChangeResponse],
    description:
      'The changes of nodes. A node is an object in an array, or the whole document. The order is that of the document of `to`; removed nodes come last.',
  })
  changes!: NodeChangeResponse[];

  @ApiProperty({
    description:
      'False if there are more than 1,000 changes, or more than 4 MiB of values: then `changes` leaves out the other changes, or fields and values that do not fit.',
  })
  isComplete!: boolean;

  @ApiProperty({
    type: [TextChangeResponse],
    description:
      'The texts outside the document that differ between the two versions, such as `name`.',
  })
  fields!: TextChangeResponse[];
}

export class JsonPatchOperationResponse {
  @ApiProperty({ enum: ['add', 'remove', 'replace', 'move'] })
  op!: string;

  @ApiProperty({ description: 'A JSON Pointer (RFC 6901).' })
  path!: string;

  @ApiProperty({ required: false, description: 'The JSON Pointer to the value that `move` moves.' })
  from?: string;

  @ApiProperty({ required: false, ...ANY_VALUE, description: 'The value of `add` and `replace`.' })
  value?: unknown;
}
