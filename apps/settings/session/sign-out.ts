import type { AuthContextProps } from 'react-oidc-context';
import { pageUrl } from './user-manager.js';

/** Ends the session of this page, and the session at the provider if the provider supports that. */
export async function signOut(auth: AuthContextProps): Promise<void> {
  try {
    await auth.signoutRedirect();
  } catch {
    window.location.assign(pageUrl('signed-out'));
  }
}
