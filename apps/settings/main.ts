/*
 * The settings area: a page where workspace members preview and publish templates, set up webhooks, monitor deliveries,
 * and manage members and API keys. The page is a client of the public API like any other, and calls the API only
 * through libs/client.
 *
 * This file is small, so that a user without a session is redirected to the identity provider immediately. The rest
 * of the page loads when the user comes back, while the authorization code is exchanged for tokens.
 */
import { loadSettingsConfig } from './session/settings-config.js';
import {
  completeSignIn,
  createUserManager,
  isAtPath,
  SIGNED_IN_PATH,
  SIGNED_OUT_PATH,
} from './session/sign-in.js';

const loadPage = () => import('./render.js');

try {
  if (isAtPath(SIGNED_OUT_PATH)) {
    (await loadPage()).renderSignedOut();
  } else {
    if (isAtPath(SIGNED_IN_PATH)) void loadPage();
    const config = await loadSettingsConfig();
    const userManager = createUserManager(config);
    await completeSignIn(userManager);
    (await loadPage()).renderApp(config, userManager);
  }
} catch (error) {
  (await loadPage()).renderStartError(error);
}
