import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'isPublic';

/** Opens a route to callers without a token. Every other route is guarded. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
