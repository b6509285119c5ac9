// Relays connections from one port to another, as a load balancer in front of PostgreSQL does. It is a process
// of its own, so that a test can kill it or stop it with a signal.
//
// Arguments: the port to listen on, and the port to connect to. A message from the parent changes the latter
// for new connections.
import { connect, createServer } from 'node:net';

const [, , port, firstTarget] = process.argv;
let target = Number(firstTarget);
process.on('message', (message) => (target = message));
process.once('disconnect', () => process.exit());

const server = createServer((client) => {
  const upstream = connect(target, '127.0.0.1');
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ]) {
    one.setNoDelay();
    one.pipe(other);
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
