// Runs work whose duration callers control, without blocking the event loop.
export { joinBuffers, runInSlices } from './time-slices.js';
