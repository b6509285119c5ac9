/*
 * Writes `icons.gen.ts`, the pictures of the icons. `npm run generate:icons` runs this file. `npm run check` does not,
 * because the bytes of a picture depend on the machine.
 *
 * The shapes of networks are from Simple Icons (CC0) and Bootstrap Icons (MIT). The marks belong to their owners, and
 * may be used for links to the network.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { networks, type NetworkName } from './networks.ts';
import { signs, type SignName } from './signs.ts';

// Three times the default size of an icon, for screens with a high resolution.
const SIZE = 72;
const MARGIN = 14;

// Simple Icons has no icons of these networks, or only a word that is too wide.
const BOOTSTRAP: Partial<Record<NetworkName, string>> = {
  email: 'envelope-fill',
  linkedin: 'linkedin',
  medium: 'medium',
  twitter: 'twitter',
  web: 'globe2',
};
// Their own colours are light, so white shapes would be hard to see.
const DARK_SHAPES: readonly NetworkName[] = ['snapchat'];

async function draw(name: NetworkName): Promise<string> {
  const bootstrap = BOOTSTRAP[name];
  const path = bootstrap
    ? `bootstrap-icons/icons/${bootstrap}.svg`
    : `simple-icons/icons/${name}.svg`;
  const svg = await readFile(fileURLToPath(import.meta.resolve(path)), 'utf8');
  const color = DARK_SHAPES.includes(name) ? '#000' : '#fff';
  const shape = svg.replace(/fill="currentColor"/, '').replace('<svg', `<svg fill="${color}"`);
  const picture = await sharp(Buffer.from(shape), { density: 300 })
    .resize(SIZE - 2 * MARGIN, SIZE - 2 * MARGIN, { fit: 'contain', background: '#0000' })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: '#0000' })
    .png({ palette: true, colours: 16, compressionLevel: 9 })
    .toBuffer();
  return picture.toString('base64');
}

// The sign on the picture of a video, and the signs of accordions. They are drawn here, twice as large as emails show
// them. The grey is visible on white and on black.
const SIGNS: Record<SignName, [size: number, shape: string]> = {
  play: [
    144,
    '<circle cx="36" cy="36" r="35" fill="#000" fill-opacity=".65"/><path d="M28 21v30l24-15z" fill="#fff"/>',
  ],
  expand: [48, '<path d="M16 28l20 20 20-20" fill="none" stroke="#767676" stroke-width="8"/>'],
  collapse: [48, '<path d="M16 44l20-20 20 20" fill="none" stroke="#767676" stroke-width="8"/>'],
};

async function drawSign(name: SignName): Promise<string> {
  const [size, shape] = SIGNS[name];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72" width="${size}" height="${size}">${shape}</svg>`;
  const picture = await sharp(Buffer.from(svg))
    .png({ palette: true, colours: 32, compressionLevel: 9 })
    .toBuffer();
  return picture.toString('base64');
}

const names = Object.keys(networks) as NetworkName[];
const lines = await Promise.all([
  ...names.map(async (name) => `  ${name}: '${await draw(name)}',\n`),
  ...signs.map(async (name) => `  ${name}: '${await drawSign(name)}',\n`),
]);
await writeFile(
  'libs/rendering/icons/icons.gen.ts',
  `// \`npm run generate:icons\` writes this file. Each picture is a PNG in base64.\nexport const icons = {\n${lines.join('')}} as const;\n`,
);
