import { randomBytes } from 'node:crypto'
import { startEmbedded } from '#platform/db/embedded/start-embedded.ts'

// A process that starts the built-in PostgreSQL, for tests that kill it: node embedded-process.ts HOME GRACE_SECONDS
const [home = '', graceSeconds] = process.argv.slice(2)
const { pid, url, adopted } = await startEmbedded({ home, randomBytes, graceSeconds: Number(graceSeconds) })
process.stdout.write(`${JSON.stringify({ pid, url, adopted })}\n`)
setInterval(() => undefined, 1_000)
