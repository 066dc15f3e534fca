import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isProcessAlive } from './process-liveness.ts'

test('a running process is alive, and a process that has ended is not', async () => {
  expect(isProcessAlive(process.pid)).toBe(true)
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(isProcessAlive(child.pid ?? 0)).toBe(false)
})

test.runIf(process.platform === 'linux')('a zombie is not alive', async () => {
  // The shell becomes `sleep` before its child ends, and `sleep` never reaps it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 20'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(parent.stdout, 'data')
  await expect.poll(() => isProcessAlive(Number(String(line)))).toBe(false)
  expect(() => process.kill(Number(String(line)), 0)).not.toThrow()
  parent.kill('SIGKILL')
})

test.runIf(process.platform === 'linux')('a process of another user is alive', () => {
  expect(isProcessAlive(1)).toBe(true)
})
