// Runs work whose duration depends on the caller's input, without blocking the event loop.
export { joinBuffers, runInSlices } from './time-slices.js';
