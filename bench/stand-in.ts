import { createServer } from 'node:http'

/** The service that the bench's effects call. It responds at once, or after the requested milliseconds. */
const afterMs = Number(process.argv[2] ?? 0)
const answer = '{"done":true}'
const server = createServer((request, response) => {
  request.resume()
  const reply = () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  if (afterMs === 0) reply()
  else setTimeout(reply, afterMs)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' && address !== null ? address.port : 0}\n`)
})
process.on('SIGINT', () => process.exit(0))
