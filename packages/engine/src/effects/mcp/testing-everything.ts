import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface EverythingServer {
  readonly endpoint: string
  /** The output of the server, which logs each session. */
  readonly log: () => string
  close(): Promise<void>
}

/** Starts the reference server of the protocol's authors in a process of its own. */
export async function startEverything(): Promise<EverythingServer> {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const port = await freePort()
  const child = spawn(process.execPath, [main, 'streamableHttp'], { env: { PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('listening on port')) child.emit('millrace-ready')
    })
  }
  const [ended] = await Promise.race([once(child, 'millrace-ready'), once(child, 'exit')])
  if (ended !== undefined) throw new Error(`the server ended at once: ${log}`)
  return { endpoint: `http://127.0.0.1:${port}/mcp`, log: () => log, close: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** The server cannot say which port it got by itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
