import fc from 'fast-check';

// Runs the property tests again as in a run that failed: fast-check printed the seed.
fc.configureGlobal({ seed: Number(process.env.SEED) });
