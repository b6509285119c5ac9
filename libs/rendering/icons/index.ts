/*
 * The icons of social networks, videos and accordions, as pictures that mail clients show. The API serves them at
 * `ICONS_PATH`.
 */
import { icons } from './icons.gen.js';

export { isNetwork, networks } from './networks.js';
export type IconName = keyof typeof icons;

export const ICONS_PATH = '/icons/';

/** The address of an icon. Without the public URL of the API, the address contains the picture itself. */
export function iconUrl(name: IconName, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return `data:image/png;base64,${icons[name]}`;
  return `${publicUrl.replace(/\/$/, '')}${ICONS_PATH}${name}.png`;
}

/** The picture of an icon, as a PNG; undefined for an unknown name. */
export const iconOf = (name: string): Buffer | undefined =>
  Object.hasOwn(icons, name) ? Buffer.from(icons[name as IconName], 'base64') : undefined;
