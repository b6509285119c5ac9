export { leaveTestServer as default } from './test-server.js';
