// Runs work whose length callers decide, without blocking the event loop.
export { joinBuffers, runInSlices } from './time-slices.js';
