/** The types of stored pictures. Mail clients show all of them, except that Outlook for Windows shows no WebP. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

export interface Picture {
  type: PictureType;
  /** The size in pixels. */
  width: number;
  height: number;
  bytes: number;
}

export const extensions: Record<PictureType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** The kind of file that its first bytes announce. */
type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'svg';

/** How many bytes `identify` needs. An SVG may begin with comments. */
export const HEAD_BYTES = 4096;

const startsWith = (head: Buffer, bytes: string, offset = 0): boolean =>
  head.subarray(offset, offset + bytes.length).equals(Buffer.from(bytes, 'latin1'));

/**
 * Identifies the format by the first bytes. The name and the media type of an upload say nothing reliable. Only files
 * of these formats reach the decoders.
 */
export function identify(head: Buffer): Format | undefined {
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(head, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'gif';
  if (startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)) return 'webp';
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return text.startsWith('<') && /<svg[\s>]/i.test(text) ? 'svg' : undefined;
}
