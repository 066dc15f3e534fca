import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Repeats a POST until it succeeds, for at most half a minute. */
export async function eventually(url: string, body: string): Promise<void> {
  let problem = ''
  for (const endsAt = performance.now() + 30_000; performance.now() < endsAt; ) {
    try {
      const headers = body === '' ? {} : { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, ...(body === '' ? {} : { body }) })
      if (answer.ok) return
      problem = `${answer.status} ${await answer.text()}`
    } catch (error) {
      problem = String(error)
    }
    await pause(250)
  }
  throw new Error(`${url} did not answer: ${problem}`)
}

export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const closed = once(server, 'close')
  server.kill('SIGTERM')
  await closed
}
