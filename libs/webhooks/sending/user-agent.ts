import { version } from '#config';

export const USER_AGENT = `Galley/${version}`;
