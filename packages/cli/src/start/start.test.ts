import { readdir } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { createPaint } from '#terminal/paint.ts'
import { createFolder, runCli, startCli } from '#testing/cli.ts'
import { startHttpService } from '#testing/http-service.ts'
import { createPostgres } from '#testing/postgres.ts'
import { logText } from './log-text.ts'

describe('millrace start', () => {
  test('a running server writes the compile cache, which a start after a kill uses', async () => {
    await using database = await createPostgres('migrated')
    await using folder = await createFolder()
    const env = { DATABASE_URL: database.url, NODE_COMPILE_CACHE: folder.file('cache') }
    await using cli = startCli(['start', '--port', '0', '--home', folder.file('home')], { env })
    await cli.waitFor(/Stop +Ctrl-C/)
    const kept = (): Promise<number> => readdir(folder.file('cache'), { recursive: true }).then((files) => files.length)
    await vi.waitFor(async () => expect(await kept()).toBeGreaterThan(500))
  })

  test('the server starts with the built-in PostgreSQL, prints its address and the operator key, and stops in good order', {}, async () => {
    await using folder = await createFolder()
    const home = folder.file('home')
    await using cli = startCli(['start', '--port', '0', '--home', home])
    const [, url = ''] = await cli.waitFor(/API +(http:\/\/127\.0\.0\.1:\d+)\n/)
    await cli.waitFor(/Stop +Ctrl-C/)
    expect(await (await fetch(`${url}/api/v1/health`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${url}/docs`)).status).toBe(200)

    const port = new URL(url).port
    const [doctor, second, samePort] = await Promise.all([
      runCli(['doctor', '--home', home], { env: { PORT: port } }),
      runCli(['start', '--port', '0', '--home', home]),
      runCli(['start', '--port', port, '--home', home]),
    ])
    expect(doctor.stdout).toContain('a Millrace runs there and is up.')
    expect(doctor.exitCode).toBe(0)
    expect(second.exitCode).toBe(1)
    expect(second.stderr).toMatch(/already runs on .*home/)
    expect(samePort.stderr).toMatch(/already runs on .*home/)

    cli.kill('SIGINT')
    const { exitCode, stderr } = await cli.end
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/Stop +Ctrl-C, or kill \d+\n/)
    expect(stderr).toContain(`Reference ${url}/docs`)
    expect(stderr).toContain(`Data      ${home} (built-in PostgreSQL)`)
    expect(stderr).toMatch(/Operator +mlr-operator-\w+/)
    expect(stderr).toMatch(/\nStopping: .*\n/)
    expect(stderr).toMatch(/\nStopped\.\n$/)
    expect(stderr).not.toMatch(/connection lost|DatabaseError/)
  })

  test('the server uses the PostgreSQL of DATABASE_URL and stops on SIGTERM', async () => {
    await using database = await createPostgres('empty')
    await using folder = await createFolder()
    const env = { DATABASE_URL: database.url, MILLRACE_HOME: folder.path }
    await using cli = startCli(['start', '--port', '0'], { env })
    await cli.waitFor(/Data +PostgreSQL of DATABASE_URL/)
    const [url] = await cli.waitFor(/http:\/\/[\d.]+:\d+/)
    for (let n = 0; n < 3; n++) await fetch(`${url}/api/v1/health`)
    cli.kill('SIGTERM')
    const { exitCode, stderr, stdout } = await cli.end
    expect(exitCode).toBe(0)
    expect(stderr + stdout).not.toMatch(/counted in this process only|already been destroyed/)
  })

  test('a port in use is reported with what to do', async () => {
    await using other = await startHttpService(() => ({}))
    await using database = await createPostgres('migrated')
    await using folder = await createFolder()
    const port = new URL(other.url).port
    const { exitCode, stderr } = await runCli(['start', '--port', port], {
      env: { DATABASE_URL: database.url, MILLRACE_HOME: folder.path },
    })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`error: Port ${port} on 127.0.0.1 is in use by another program.`)
    expect(stderr).toContain('--port 3001')
  })

  test('a port that is out of range is refused', async () => {
    const { exitCode, stderr } = await runCli(['start', '--port=70000'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('a port is a number from 0 to 65535')
  })
})

describe('a line of the log for people', () => {
  const plain = createPaint(new PassThrough())

  test('a log line has time, level, message and details', () => {
    const line = JSON.stringify({ level: 40, time: '2026-11-21T05:59:37.561Z', msg: 'slow\u001b[2J', ms: 12, who: { id: 1 } })
    expect(logText(`${line}\n`, plain)).toBe('05:59:37 warn  slow\\u001b[2J ms=12 who={"id":1}\n')
  })

  test('the stack of an error follows its log line', () => {
    const line = JSON.stringify({
      level: 50,
      time: '2026-11-21T05:59:37.561Z',
      msg: 'failed',
      err: { message: 'no', stack: 'Error: no\n    at here' },
    })
    expect(logText(line, plain)).toBe('05:59:37 error failed\n         Error: no\n             at here\n')
  })

  test('a log line that is not JSON is printed with escaped control characters', () => {
    expect(logText('plain \u001b[31mtext\n', plain)).toBe('plain \\u001b[31mtext\n')
  })
})
