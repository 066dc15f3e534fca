import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'

/** An outside service that counts its requests. */
export interface Ledger {
  readonly url: string
  /** Effects that were requested again after their outcome was committed to the journal. Must stay empty. */
  readonly violations: readonly string[]
  /** The number of requests by name of the effect, over all executions. */
  readonly counts: ReadonlyMap<string, number>
  close(): Promise<void>
}

/**
 * At each call, looks for its outcome in the journal. The key of a call names the execution and digests
 * its position, as the engine makes it.
 */
export async function openLedger(pool: Pool): Promise<Ledger> {
  const violations: string[] = []
  const counts = new Map<string, number>()
  const flaky = new Map<string, number>()

  async function journalled(key: string): Promise<boolean> {
    const { rows } = await pool.query<{ known: boolean }>(
      `select exists (select from journal where execution_id = $1 and phase = 'ended'
         and left(encode(sha256(convert_to(position, 'UTF8')), 'hex'), 24) = $2) as known`,
      [key.slice(0, 36), key.slice(37)],
    )
    return rows[0]?.known === true
  }

  const server = createServer((request, response) => {
    const [, kind = '', name = ''] = (request.url ?? '').split('/')
    const key = String(request.headers['idempotency-key'])
    request.resume()
    void (async () => {
      if (await journalled(key)) violations.push(`${name} ${key}`)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const executionId = key.slice(0, 36)
      const seen = flaky.get(executionId) ?? 0
      if (kind === 'flaky') flaky.set(executionId, seen + 1)
      const fails = kind === 'flaky' && seen === 0
      response.writeHead(fails ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    violations,
    counts,
    close: () => new Promise((resolve, reject) => server.close((error) => (error === undefined ? resolve() : reject(error)))),
  }
}
