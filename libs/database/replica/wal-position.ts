/** A position in the write-ahead log (LSN). The position of a server never decreases. */
export type WalPosition = bigint;

/** Parses PostgreSQL's text format, such as `16/B374D848`. */
export function parseWalPosition(text: string): WalPosition {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const maxPosition = (one: WalPosition, other: WalPosition): WalPosition =>
  one > other ? one : other;
