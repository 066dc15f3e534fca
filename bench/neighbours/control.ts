import { createServer } from 'node:http'
import { serveHelper } from './helper.ts'

const answer = '{"status":"ok"}'

/** A server that responds like `/api/v1/health` of an idle process. Its delays are those of the machine. */
const handlers = {
  listen: async (): Promise<string> => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the control does not listen on TCP')
    return `http://127.0.0.1:${address.port}`
  },
}

export type ControlHandlers = typeof handlers

serveHelper(handlers)
