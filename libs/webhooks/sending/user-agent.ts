import { build } from '#config';

export const USER_AGENT = `Galley/${build}`;
