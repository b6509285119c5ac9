// Is loaded into an API before its own modules, counts the promises that the program makes, and tells the parent process.
import { createHook } from 'node:async_hooks';

let promises = 0;
createHook({
  init(_id, type) {
    if (type === 'PROMISE') promises++;
  },
}).enable();
process.on('message', () => process.send?.(promises));
process.channel?.unref();
