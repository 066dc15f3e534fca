import { createServer } from 'node:http2'
import { peerFile } from './peer-install.ts'

/** The part of Restate's SDK that the bench uses. */
interface Restate {
  service(definition: { readonly name: string; readonly handlers: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> }): unknown
  createEndpointHandler(options: { readonly services: readonly unknown[] }): Parameters<typeof createServer>[1]
}

interface Context {
  run(name: string, fn: () => Promise<unknown>): Promise<unknown>
}

/** The service that Restate's server calls: three steps without cost of their own. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Installed on demand, so the compiler cannot see it.
const restate = (await import(peerFile('@restatedev/restate-sdk/dist/index.js').href)) as Restate
const bench = restate.service({
  name: 'bench',
  handlers: {
    async effects(ctx) {
      for (const name of ['one', 'two', 'three']) await ctx.run(name, async () => ({ done: true }))
      return { done: true }
    },
  },
})
const server = createServer({}, restate.createEndpointHandler({ services: [bench] }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' && address !== null ? address.port : 0}\n`)
})
process.on('SIGINT', () => process.exit(0))
