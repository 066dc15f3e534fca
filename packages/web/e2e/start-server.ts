import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts a server of its own in a disposable home, with raised rate limits. */
export async function startServer(): Promise<{ readonly url: string; readonly operatorCode: string; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'millrace-ui-'))
  await chmod(home, 0o755)
  const server = spawn(process.execPath, [join(root, 'packages/cli/src/main.ts'), 'start', '--port', '0', '--home', home], {
    env: {
      ...process.env,
      NO_COLOR: '1',
      MILLRACE_RATE_LIMIT_GLOBAL: '100000/60',
      MILLRACE_RATE_LIMIT_AUTH: '1000/60',
      MILLRACE_RATE_LIMIT_REFRESH: '1000/60',
      MILLRACE_RATE_LIMIT_EXECUTION: '100000/60',
    },
  })
  const stop = async () => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    if (server.exitCode === null && server.kill('SIGINT')) await gone
    await rm(home, { recursive: true, force: true })
  }
  try {
    return { ...(await announced(server)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function announced(child: ChildProcess): Promise<{ readonly url: string; readonly operatorCode: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(`the server did not start:\n${text}`)))
    child.stderr?.on('data', (part: Buffer) => {
      text += part.toString()
      const url = /API +(http:\/\/[\d.]+:\d+)/.exec(text)?.[1]
      const operatorCode = /Operator +(\S+)/.exec(text)?.[1]
      if (url !== undefined && operatorCode !== undefined) resolve({ url, operatorCode })
    })
  })
}
