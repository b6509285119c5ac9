export * from './generated/index.js';
export { createClient, createConfig, type Client } from './generated/client/index.js';
