// Prints requests per second of the guarded fetch against bare undici.request, to a small server in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool, request } from 'undici'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'

const connections = 32
const roundMs = 1_500

async function measure(send: () => Promise<void>): Promise<number> {
  const until = performance.now() + roundMs
  let done = 0
  const client = async (): Promise<void> => {
    if (performance.now() >= until) return undefined
    await send()
    done++
    return client()
  }
  await Promise.all(Array.from({ length: connections }, client))
  return (done * 1000) / roundMs
}

const server = spawn(process.execPath, [fileURLToPath(new URL('net-server.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] })
const [chunk] = await once(server.stdout, 'data')
const origin = `http://127.0.0.1:${String(chunk).trim()}`
const url = `${origin}/small`
const guarded = createGuardedFetch({ allow: ['127.0.0.0/8'] })
const pool = new Pool(origin, { connections })
const signal = new AbortController().signal
const headers = { accept: '*/*', 'user-agent': 'millrace' }

const bare = async (): Promise<void> => {
  const reply = await request(url, { dispatcher: pool, headers })
  await reply.body.arrayBuffer()
}
const guardedGet = async (): Promise<void> => {
  await guarded.request({ method: 'GET', url, headers, followRedirects: false, timeoutMs: 10_000, maxResponseBytes: 1_000_000 }, signal)
}

await measure(bare)
await measure(guardedGet)
const rounds = [
  [await measure(bare), await measure(guardedGet)],
  [await measure(bare), await measure(guardedGet)],
  [await measure(bare), await measure(guardedGet)],
]
for (const [plain = 0, ours = 0] of rounds) {
  process.stdout.write(`undici.request ${plain.toFixed(0)}/s, guarded fetch ${ours.toFixed(0)}/s, ratio ${(ours / plain).toFixed(2)}\n`)
}
await Promise.all([guarded.close(), pool.close()])
server.kill()
