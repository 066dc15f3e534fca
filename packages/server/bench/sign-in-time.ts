// Prints how long refused sign-ins and requests for a new password take, for addresses with a user and without, turn by turn in one run.
// npm run bench:sign-in:refused [rounds]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { startServerProcess } from '#testing/server-process.ts'

const rounds = Number(process.argv[2] ?? 100)
// Five failures of a user are free.
const users = Math.ceil(rounds / 5)
const home = await mkdtemp(join(tmpdir(), 'millrace-sign-in-'))
const free = '100000000/60'
const limits = { MILLRACE_RATE_LIMIT_GLOBAL: free, MILLRACE_RATE_LIMIT_AUTH: free }
const smtp = await startSmtpServer()
const mail = {
  MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  MILLRACE_SMTP_TLS: 'off',
  MILLRACE_MAIL_FROM: 'Millrace <bench@example.com>',
  MILLRACE_PUBLIC_URL: 'https://millrace.example.com',
}
// Each request comes from an address of its own, so that no wait after failures is measured.
const server = await startServerProcess({ MILLRACE_HOME: home, MILLRACE_TRUST_PROXY: '127.0.0.1', ...mail, ...limits })
let requests = 0

interface Case {
  readonly name: string
  readonly path: string
  readonly body: (round: number) => object
  readonly status: number
}

const known = (round: number) => `user${round % users}@example.com`
const unknown = (round: number) => `none${round}@example.com`
const cases: readonly Case[] = [
  { name: 'sign-in, wrong password', path: 'login', body: (n) => ({ email: known(n), password: 'a wrong guess' }), status: 401 },
  { name: 'sign-in, unknown address', path: 'login', body: (n) => ({ email: unknown(n), password: 'a wrong guess' }), status: 401 },
  { name: 'new password, known address', path: 'password/forgot', body: (n) => ({ email: known(n) }), status: 200 },
  { name: 'new password, unknown address', path: 'password/forgot', body: (n) => ({ email: unknown(n) }), status: 200 },
]

try {
  for (let user = 0; user < users; user++) await post('register', { email: known(user), password: 'nothing-but-a-bench-1' })
  const times = new Map(cases.map(({ name }) => [name, new Array<number>()]))
  const others = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const { name, path, body, status } of cases) {
      const startedAt = performance.now()
      const answered = await post(path, body(round))
      const tookMs = performance.now() - startedAt
      if (answered === status) times.get(name)?.push(tookMs)
      else others.set(`${name}: ${answered}`, (others.get(`${name}: ${answered}`) ?? 0) + 1)
    }
  for (const [name, list] of times) {
    const sorted = list.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2)
    console.log(`${name.padEnd(32)} median ${at(0.5)} ms, 10 % under ${at(0.1)} ms, 90 % under ${at(0.9)} ms, ${list.length} requests`)
  }
  for (const [what, count] of others) console.log(`not counted: ${what}, ${count} times`)
} finally {
  await server.end('SIGTERM')
  await smtp[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
}

async function post(path: string, body: object): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${requests >> 8}.${requests++ & 255}` },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}
