import Fastify from 'fastify'

/** The bare route: the same request and response without persistence. It shows the limit of HTTP on this machine. */
const app = Fastify()
app.post('/run', async () => ({ result: 5, text: 'two!' }))
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(`port ${typeof address === 'object' && address !== null ? address.port : 0}\n`)
process.on('SIGINT', () => process.exit(0))
