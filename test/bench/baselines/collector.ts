import { createServer } from 'node:http';

/** An OpenTelemetry collector in a separate process that accepts all spans and keeps none. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200).end());
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
