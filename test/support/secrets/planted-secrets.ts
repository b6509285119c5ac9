import { randomBytes } from 'node:crypto';

/**
 * Secrets by name, and texts by the place where Galley has put them. The search finds a secret in all forms
 * that programs write: as it is, escaped in JSON or in a URL, in hexadecimal, and in base64 and base64url,
 * there also as a part of a longer text.
 */
export class PlantedSecrets {
  private readonly forms = new Map<string, string[]>();
  private readonly texts = new Map<string, string[]>();

  /** Adds a secret. Without a value, it is a random one that is also valid in headers and in URLs. */
  plant(name: string, value: string | Buffer = `hush${randomBytes(12).toString('hex')}`): string {
    this.forms.set(name, [...(this.forms.get(name) ?? []), ...formsOf(Buffer.from(value))]);
    return value.toString();
  }

  /** Adds a random key, and finds it as bytes and as the text in base64 that configures it. */
  plantKey(name: string, key = randomBytes(32).toString('base64')): string {
    this.plant(name, Buffer.from(key, 'base64'));
    return this.plant(name, key);
  }

  /** The signature is what an attacker lacks: the rest of a token says who its owner is. */
  plantToken(name: string, token: string): string {
    this.plant(name, token.split('.')[2]);
    return token;
  }

  /** Adds a text to those that are searched. Secrets may be planted later. */
  addText(place: string, text: string): void {
    this.texts.set(place, [...(this.texts.get(place) ?? []), text]);
  }

  /** Searches the texts since the last search. @returns `place: name of the secret`, sorted. */
  search(): string[] {
    const findings = [...this.texts].flatMap(([place, texts]) => {
      const text = texts.join('\n').toLowerCase();
      return [...this.forms]
        .filter(([, forms]) => forms.some((form) => text.includes(form)))
        .map(([name]) => `${place}: ${name}`);
    });
    this.texts.clear();
    return findings.sort();
  }
}

function formsOf(value: Buffer): string[] {
  const text = value.toString();
  const inBase64 = (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((offset) => innerBase64(value, offset, encoding)),
  );
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    value.toString('hex'),
    ...inBase64,
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

/**
 * The characters that base64 has for a value after `offset` other bytes. The characters at both ends also
 * depend on the bytes beside the value, so they are left out.
 */
function innerBase64(value: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const prefixed = Buffer.concat([Buffer.alloc(offset), value]);
  const end = Math.floor((prefixed.length * 8) / 6);
  return prefixed.toString(encoding).slice(offset === 0 ? 0 : offset + 1, end);
}
