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
      'The value in `from`; omitted if the field is new. If the value does not fit into the response, it is omitted too, and `isComplete` is false.',
  })
  before?: unknown;

  @ApiProperty({
    required: false,
    ...ANY_VALUE,
    description:
      'The value in `to`; omitted if the field was removed. If the value does not fit into the response, it is omitted too, and `isComplete` is false.',
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
    description: 'The `type` of the node; null if it is not a string.',
  })
  nodeType!: string | null;

  @ApiProperty({
    ...anyOfTypes('string', 'number', 'null'),
    description: 'The `id` of the node; null if it is neither a string nor a number.',
  })
  nodeId!: string | number | null;

  @ApiProperty({
    ...enumProperty('MatchReason'),
    nullable: true,
    description: 'How Galley matched the two nodes; null if the node was added or removed.',
  })
  matchedBy!: string | null;

  @ApiProperty({
    type: [FieldChangeResponse],
    description: 'The fields that differ, if `type` is `changed`; otherwise empty.',
  })
  fields!: FieldChangeResponse[];

  @ApiProperty({
    description:
      'A description of the change in plain English. Later releases may word it differently.',
  })
  sentence!: string;
}

class BreakingChangeResponse {
  @ApiProperty({ description: 'The place in the data, such as `data/order/id`.' })
  path!: string;

  @ApiProperty({ description: 'What changed, as in `is required now`.' })
  message!: string;
}

export class ComparisonResponse {
  @ApiProperty({ type: ComparedVersionResponse })
  from!: ComparedVersionResponse;

  @ApiProperty({ type: ComparedVersionResponse })
  to!: ComparedVersionResponse;

  @ApiProperty({
    description:
      'Whether the two documents have the same content. Differences in white space, in the order of fields, in escapes and in the notation of numbers do not count: `1.0` and `1` are equal.',
  })
  identical!: boolean;

  @ApiProperty({ description: 'Whether the two documents are identical, byte for byte.' })
  identicalText!: boolean;

  @ApiProperty({
    type: ChangeCountsResponse,
    description: 'The number of changes of each type, including changes that `changes` omits.',
  })
  counts!: ChangeCountsResponse;

  @ApiProperty({
    type: [NodeChangeResponse],
    description:
      'The changes to nodes, in the order of the nodes in the document of `to`; removed nodes come last. A node is an object in an array, or the whole document.',
  })
  changes!: NodeChangeResponse[];

  @ApiProperty({
    description:
      'False if there are more than 1,000 changes, or if the changes are larger than 4 MiB. `changes` then omits the changes, fields and values that do not fit.',
  })
  isComplete!: boolean;

  @ApiProperty({
    type: [BreakingChangeResponse],
    description:
      'The changes of `variables` by which data that fits `from` may not fit `to`, at most 100. Programs that render the template must change first.',
  })
  breakingChanges!: BreakingChangeResponse[];

  @ApiProperty({
    type: [TextChangeResponse],
    description:
      'The text fields outside the document that differ between the two versions, such as `name`.',
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

  @ApiProperty({
    required: false,
    ...ANY_VALUE,
    description: 'The value that `add` or `replace` sets.',
  })
  value?: unknown;
}
