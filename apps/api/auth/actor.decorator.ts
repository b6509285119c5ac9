import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#identity';

/** Who is calling, as the guard found out. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ user: Actor }>().user,
);
