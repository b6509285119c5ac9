import { KeyRing } from '#encryption';

/** A ring whose first key encrypts, for code that has its database for itself. */
export function activeKeyRing(...keys: Buffer[]): KeyRing {
  const ring = new KeyRing(keys);
  ring.activate(ring.ids[0]);
  return ring;
}
