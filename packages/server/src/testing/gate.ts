import { startHttpStandIn } from './http-stand-in.ts'

/** An HTTP service that delays its response to each call until the test releases it. */
export async function startGate() {
  const waiting: (() => void)[] = []
  const listeners: (() => void)[] = []
  let came = 0
  const standIn = await startHttpStandIn(async ({ path }) => {
    came += 1
    for (const listener of listeners.splice(0)) listener()
    await new Promise<void>((resolve) => waiting.push(resolve))
    return { body: { path } }
  })
  return {
    url: standIn.url,
    requests: standIn.requests,
    /** Paths that were called, in order. */
    paths: () => standIn.requests.map(({ path }) => path),
    /** Resolves when so many calls have come since the beginning. */
    async called(count: number) {
      while (came < count) await new Promise<void>((resolve) => listeners.push(resolve))
    },
    /** Answers the call that has waited longest. */
    letGo: () => waiting.shift()?.(),
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  }
}

/** A definition that calls the service once for each name, one after another. */
export function asks(url: string, names: readonly string[]): string {
  return `do:\n${names.map((name) => `  - ${name}: { call: http, with: { method: get, endpoint: { uri: '${url}/${name}' } } }\n`).join('')}`
}
