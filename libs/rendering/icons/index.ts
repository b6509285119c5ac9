/*
 * The icons of social networks, as pictures that mail clients show. The API serves them at `ICONS_PATH`.
 */
import { icons } from './icons.gen.js';
import { isNetwork, type NetworkName } from './networks.js';

export { isNetwork, networks, type NetworkName } from './networks.js';

export const ICONS_PATH = '/icons/';

/** The address of an icon. Without the public URL of the API, the address contains the picture itself. */
export function iconUrl(name: NetworkName, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return `data:image/png;base64,${icons[name]}`;
  return `${publicUrl.replace(/\/$/, '')}${ICONS_PATH}${name}.png`;
}

/** The picture of an icon, as a PNG; undefined for an unknown name. */
export const iconOf = (name: string): Buffer | undefined =>
  isNetwork(name) ? Buffer.from(icons[name], 'base64') : undefined;
