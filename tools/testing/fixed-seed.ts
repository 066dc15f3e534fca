import fc from 'fast-check'

/**
 * Property tests draw the same values in every run, so that only a change can make one fail. `FC_SEED=…` draws others, to look for
 * unknown defects; a failure prints its seed.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_121) })
