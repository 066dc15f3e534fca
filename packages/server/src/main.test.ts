import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileCache } from '#testing/compile-cache.ts'
import { createTestDatabase } from '#testing/database.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

function run(environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [main], { env: { ...compileCache(), ...environment }, cwd: '/' })
  let out = ''
  child.stdout?.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr?.on('data', (text: Buffer) => (out += text.toString()))
  const exited = once(child, 'exit').then(([code]: unknown[]) => code)
  return {
    child,
    exited,
    out: () => out,
    async until(text: string) {
      while (!out.includes(text))
        await Promise.race([once(child.stdout ?? child, 'data'), exited.then(() => Promise.reject(new Error(out)))])
    },
  }
}

test.each(['SIGTERM', 'SIGINT'] as const)('a server that gets %s stops in good order', async (signal) => {
  await using db = await createTestDatabase()
  const server = run({ DATABASE_URL: db.url, PORT: '0', MILLRACE_SECRET_KEY: 'ab'.repeat(32) })
  await server.until('"msg":"serving"')
  const url = /"url":"([^"]+)"/.exec(server.out())?.[1]
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
  server.child.kill(signal)
  expect(await server.exited).toBe(0)
  expect(server.out()).toContain('"msg":"stopping"')
  expect(await db.database.system.selectFrom('processes').select('id').execute()).toEqual([])
})

test('a server that is configured wrongly says everything that is wrong, without a stack, and ends', async () => {
  const server = run({ PORT: 'x', MILLRACE_ROLES: 'cook' })
  expect(await server.exited).toBe(1)
  expect(server.out()).toContain('PORT')
  expect(server.out()).toContain('MILLRACE_ROLES')
  expect(server.out()).not.toContain('    at ')
})
