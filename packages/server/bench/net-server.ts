// The small server of the net benchmark; prints its port and ends with its parent.
import { createServer } from 'node:http'

const reply = JSON.stringify({ id: 1, name: 'millrace', status: 'available' })
const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(reply))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
process.stdin.on('end', () => process.exit()).resume()
