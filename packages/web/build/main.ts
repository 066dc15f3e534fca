import { buildWeb } from './build-web.ts'

// "node packages/web/build/main.ts": builds the interface if its sources changed. `npm start` runs it beside the server.
const startedAt = performance.now()
const built = await buildWeb()
if (built) process.stdout.write(`Built the interface in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
