import { Transform } from 'class-transformer';
import { fieldRule, ResourceId } from '../validation/fields.js';
import { IsLimit } from '../validation/list-query.js';

export class ReadEventsQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  )
  @fieldRule(
    'isPosition',
    (value) => (typeof value === 'number' ? undefined : 'must be the position of an event, or 0'),
    {
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999_999,
      default: 0,
      required: false,
      description: 'The `nextAfter` of the previous response; 0 to start from the beginning.',
    },
  )
  after: number = 0;

  @IsLimit(100)
  limit: number = 100;
}
