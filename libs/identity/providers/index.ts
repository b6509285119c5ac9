import { auth0 } from './auth0.js';
import { clerk } from './clerk.js';
import { logto } from './logto.js';
import type { Provider, ProviderName } from './provider.js';
import { workos } from './workos.js';

export const providers: Record<ProviderName, Provider> = { clerk, workos, auth0, logto };
