import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'

export interface BenchAccount {
  /** An API key that may do everything with workflows and executions. */
  readonly token: string
  create(definition: string): Promise<string>
  /** Access token of the owner's session, which may do everything. */
  readonly session: string
}

export interface BenchServer extends BenchAccount {
  readonly port: number
  readonly pid: number
  /** The environment for other processes of the same installation. */
  readonly env: Readonly<Record<string, string>>
  /** Another account, which can create workflows too. */
  register(email: string): Promise<BenchAccount>
  stop(): Promise<void>
}

/** A real server in its own process on a disposable database, with raised rate limits and nothing switched off. */
export async function startBenchServer(databaseUrl: string | undefined, more: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const home = await mkdtemp(join(tmpdir(), 'millrace-bench-'))
  const free = '100000000/60'
  const env = {
    MILLRACE_HOME: home,
    PORT: '0',
    MILLRACE_RATE_LIMIT_GLOBAL: free,
    MILLRACE_RATE_LIMIT_AUTH: free,
    MILLRACE_RATE_LIMIT_EXECUTION: free,
    MILLRACE_PRIVATE_NETWORK: '127.0.0.0/8',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  const child: Child = await startChild('../packages/cli/src/main.ts', ['start'], { ...env, ...more }, /API +http:\/\/127\.0\.0\.1:(\d+)/)
  const port = Number(child.line)
  const base = `http://127.0.0.1:${port}/api/v1`
  async function register(email: string): Promise<BenchAccount> {
    const session = await send('POST', `${base}/auth/register`, { email, password: 'nothing-but-a-bench-1', accountName: 'Bench' })
    const key = await send(
      'POST',
      `${base}/api-keys`,
      { name: 'bench', scopes: ['workflows:read', 'workflows:write', 'executions:read', 'executions:run'] },
      session.accessToken,
    )
    return {
      token: String(key.secret ?? key.key),
      session: String(session.accessToken),
      create: async (definition) => String((await send('POST', `${base}/workflows`, { definition }, session.accessToken)).id),
    }
  }

  return {
    ...(await register('bench@example.org')),
    port,
    pid: child.pid,
    env,
    register,
    async stop() {
      await child.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Sends JSON, and throws for any response but a success. */
export async function send(method: string, url: string, body: unknown, token?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(typeof token === 'string' ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An answer of our own server, read member by member.
  return JSON.parse(text) as Record<string, unknown>
}
