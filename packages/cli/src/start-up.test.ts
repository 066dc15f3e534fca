import { spawnSync } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createFolder } from '#testing/cli.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const hello = fileURLToPath(new URL('../../../examples/hello.yaml', import.meta.url))

function start(nodeArgs: readonly string[], args: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, main, ...args], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Lists every file that is loaded. */
const spy = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context) } })`)}`

test.each([
  [['--help'], /packages\/(engine|server|dsl|jq)\/|\/node_modules\//],
  [['run', '--help'], /packages\/(engine|server|dsl|jq)\/|\/node_modules\//],
  [['validate', hello], /\/(fastify|pg|pg-boss|kysely|undici|zod)\/|engine\/src\/(postgres|durable|effects)\//],
  [['executions'], /\/(fastify|pg|pg-boss|kysely|undici)\/|packages\/(engine|jq)\/|server\/src\/(compose|modules|platform)\//, 1],
  [['run', '-q', hello], /\/(fastify|pg|pg-boss|kysely|undici|zod)\/|engine\/src\/(postgres|effects\/(http|openapi|mcp|script))\//],
])('millrace %j loads nothing that it does not need', async (args, needless, exit = 0) => {
  await using home = await createFolder()
  const { status, stderr } = start(['--import', spy], args, { HOME: home.path })
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '))
  expect(status).toBe(exit)
  expect(loaded.filter((line) => needless.test(line))).toEqual([])
  expect(loaded.filter((line) => line.includes('/packages/cli/src/')).length).toBeGreaterThan(10)
})

test('compiled code is cached in the home of the user and used by the next start', async () => {
  await using home = await createFolder()
  const first = start([], ['validate', hello], { HOME: home.path })
  expect(await readdir(home.file('.cache/millrace'))).toHaveLength(1)
  const second = start([], ['validate', hello], { HOME: home.path, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  expect(second.stderr).toMatch(/program\.ts.*success/)
  expect(first).toMatchObject({ status: 0, stderr: '' })
})

test('the command starts without a writable home', async () => {
  await using folder = await createFolder({ file: '' })
  expect(start([], ['--version'], { HOME: folder.file('file') })).toMatchObject({ status: 0, stderr: '' })
  await expect(access(folder.file('file/.cache'))).rejects.toThrow('ENOTDIR')
})
