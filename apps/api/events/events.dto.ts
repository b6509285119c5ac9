import { Transform } from 'class-transformer';
import { check, IsIdOf, IsLimit } from '../http/fields.js';

export class ReadEventsQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  )
  @check('isPosition', (value) =>
    typeof value === 'number' ? undefined : 'must be the position of an event, or 0',
  )
  after: number = 0;

  @IsLimit()
  limit: number = 100;
}
