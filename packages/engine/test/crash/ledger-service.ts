import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { effectResult } from './outside-values.ts'
import { createLedgerBook, type LedgerBook } from './ledger-book.ts'

/** The ledger as a service: POST /{kind}/{label}?of={execution}. */
export interface LedgerService {
  readonly url: string
  readonly book: LedgerBook
  close(): Promise<void>
}

/** The service responds slowly, so that processes are killed while they wait for it. */
const ANSWER_MS_MAX = 30

export async function openLedgerService(): Promise<LedgerService> {
  const book = createLedgerBook()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ledger')
    const [, kind = '', label = ''] = pathname.split('/')
    request.resume()
    const key = String(request.headers['idempotency-key'])
    const { status, body } = book.perform({ kind, label, executionId: searchParams.get('of') ?? '', key, atMs: Date.now() })
    const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    setTimeout(send, effectResult(key) % ANSWER_MS_MAX)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    book,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
