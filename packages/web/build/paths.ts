import { fileURLToPath } from 'node:url'

/** The folder of this package. */
export const webRoot = fileURLToPath(new URL('..', import.meta.url))
