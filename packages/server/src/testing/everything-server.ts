import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

/** The reference server of the authors of MCP, over HTTP in a process of its own. */
export async function startEverythingServer() {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const port = await freePort()
  const child = spawn(process.execPath, [main, 'streamableHttp'], { env: { PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const listens = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (log.includes('listening on port')) resolve()
      })
  })
  const ended = once(child, 'exit')
  await Promise.race([
    listens,
    ended.then(() => {
      throw new Error(`the server ended at once: ${log}`)
    }),
  ])
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
