/** A social network, or another kind of link that has an icon. */
interface Network {
  /** The name that screen readers read. */
  title: string;
  /** The background of the icon: the network's own colour. */
  color: string;
}

/** The networks that have an icon, by the `name` of a link in a social block. */
export const networks = {
  behance: { title: 'Behance', color: '#1769ff' },
  bluesky: { title: 'Bluesky', color: '#1185fe' },
  discord: { title: 'Discord', color: '#5865f2' },
  dribbble: { title: 'Dribbble', color: '#ea4c89' },
  email: { title: 'Email', color: '#4b5563' },
  facebook: { title: 'Facebook', color: '#0866ff' },
  github: { title: 'GitHub', color: '#181717' },
  google: { title: 'Google', color: '#4285f4' },
  instagram: { title: 'Instagram', color: '#e4405f' },
  line: { title: 'LINE', color: '#00c300' },
  linkedin: { title: 'LinkedIn', color: '#0a66c2' },
  mastodon: { title: 'Mastodon', color: '#6364ff' },
  medium: { title: 'Medium', color: '#000000' },
  patreon: { title: 'Patreon', color: '#000000' },
  pinterest: { title: 'Pinterest', color: '#bd081c' },
  reddit: { title: 'Reddit', color: '#ff4500' },
  rss: { title: 'RSS', color: '#e67a00' },
  signal: { title: 'Signal', color: '#3b45fd' },
  snapchat: { title: 'Snapchat', color: '#fffc00' },
  soundcloud: { title: 'SoundCloud', color: '#ff5500' },
  spotify: { title: 'Spotify', color: '#1db954' },
  substack: { title: 'Substack', color: '#ff6719' },
  telegram: { title: 'Telegram', color: '#26a5e4' },
  threads: { title: 'Threads', color: '#000000' },
  tiktok: { title: 'TikTok', color: '#000000' },
  tumblr: { title: 'Tumblr', color: '#36465d' },
  twitch: { title: 'Twitch', color: '#9146ff' },
  twitter: { title: 'Twitter', color: '#1d9bf0' },
  vimeo: { title: 'Vimeo', color: '#1ab7ea' },
  web: { title: 'Website', color: '#4b5563' },
  whatsapp: { title: 'WhatsApp', color: '#25d366' },
  x: { title: 'X', color: '#000000' },
  xing: { title: 'XING', color: '#006567' },
  youtube: { title: 'YouTube', color: '#ff0000' },
} as const satisfies Record<string, Network>;
export type NetworkName = keyof typeof networks;

export const isNetwork = (name: string): name is NetworkName => Object.hasOwn(networks, name);
