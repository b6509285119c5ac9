const JSON_TYPE = 'application/json';

/**
 * Whether an `Accept` header prefers a media type to JSON (RFC 9110, section 12.5.1). The header must name the media
 * type, because a wildcard counts as JSON. If the header names both with the same weight, JSON wins.
 */
export function prefersToJson(accept: string | undefined, mediaType: string): boolean {
  const weights = new Map((accept ?? '').split(',').map(parseRange));
  const weight = weights.get(mediaType) ?? 0;
  const jsonWeight = weights.get(JSON_TYPE);
  const wildcardWeight = weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return weight > 0 && (jsonWeight === undefined ? weight >= wildcardWeight : weight > jsonWeight);
}

function parseRange(range: string): [mediaType: string, weight: number] {
  const [mediaType = '', ...parameters] = range.toLowerCase().split(';');
  const weight = parameters
    .map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return [mediaType.trim(), weight === undefined ? 1 : Number(weight)];
}
