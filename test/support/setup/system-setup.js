export { useTestServer as default } from './test-server.js';
