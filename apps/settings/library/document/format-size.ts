const KIBIBYTE = 1_024;

/** The size of a text in UTF-8, such as "2.4 KiB". */
export function formatSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < KIBIBYTE) return `${bytes} B`;
  const kibibytes = bytes / KIBIBYTE;
  if (kibibytes < KIBIBYTE) return `${round(kibibytes)} KiB`;
  return `${round(kibibytes / KIBIBYTE)} MiB`;
}

const round = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
