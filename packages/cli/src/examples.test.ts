import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runCli } from '#testing/cli.ts'
import { startHttpService } from '#testing/http-service.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))

/** The output of every example for an input. */
const runs: readonly {
  readonly file: string
  readonly input: readonly string[]
  readonly args?: readonly string[]
  readonly output: unknown
}[] = [
  { file: 'hello.yaml', input: ['name=Ada'], output: { message: 'Hello, Ada!' } },
  { file: 'hello.yaml', input: [], output: { message: 'Hello, world!' } },
  {
    file: 'order-total.yaml',
    input: ['lines=[{"sku":"tea","quantity":3,"price":450},{"sku":"none","quantity":0,"price":99}]'],
    output: { items: 3, discount: 0, total: 1350 },
  },
  {
    file: 'order-total.yaml',
    input: ['lines=[{"sku":"desk","quantity":2,"price":10005}]'],
    output: { items: 2, discount: 2001, total: 18_009 },
  },
  { file: 'fan-out.yaml', input: [], output: { served: ['soup', 'wine', 'bread'], delivery: 'bicycle' } },
  {
    file: 'invoice.yaml',
    input: ['customer=Ada', 'hours=12', 'rate=9500'],
    output: { customer: 'Ada', net: 114_000, tax: 21_660, gross: 135_660 },
  },
  {
    file: 'invoice-run.yaml',
    input: ['customers=[{"customer":"Ada","hours":2,"rate":1000},{"customer":"Bob","hours":-1,"rate":1000}]'],
    output: {
      invoices: [{ customer: 'Ada', net: 2000, tax: 380, gross: 2380 }],
      failed: [{ customer: 'Bob', why: 'Negative hours' }],
      gross: 2380,
    },
  },
  {
    file: 'order-payment.yaml',
    input: ['order=7'],
    args: [8, 7].flatMap((order) => ['--event', JSON.stringify({ type: 'com.example.paid', data: { order, amount: order * 100 } })]),
    output: { order: 7, paid: 700 },
  },
  {
    file: 'expense-approval.yaml',
    input: ['amount=120'],
    args: ['--answer', 'ask=approve'],
    output: { paid: true, amount: 120, outcome: 'approved' },
  },
  {
    file: 'expense-approval.yaml',
    input: ['amount=120'],
    args: ['--answer', 'ask=expire'],
    output: { paid: false, amount: 120, outcome: 'expired' },
  },
  { file: 'parallel-script.yaml', input: ['numbers=[1,2,3,4]'], output: [1, 4, 9, 16] },
  { file: 'deadline.yaml', input: ['takes={"milliseconds":10}'], output: { inTime: true } },
  { file: 'deadline.yaml', input: ['takes={"seconds":60}'], output: { inTime: false, why: expect.stringContaining('250 ms') } },
]

/** The services that some examples call, on a free port; the address of the page is replaced by theirs. */
async function startServices() {
  const child = spawn(process.execPath, [`${examples}services.mjs`, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  const url = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const address = /http:\/\/[\d.:]+\d/.exec(printed)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
  return {
    url,
    printed: () => printed,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'close')
    },
  }
}

/** The commands of a page, each with the output that stands below it. */
async function readPage(): Promise<readonly { readonly command: string; readonly output: string }[]> {
  const page = await readFile(`${examples}README.md`, 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```\n\n```json\n([^]*?)^```$/gm)]
  return blocks.map(([, command = '', output = '']) => ({ command, output }))
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const main = fileURLToPath(new URL('main.ts', import.meta.url))

describe('the page of the examples', () => {
  test('the page of the examples has the real output of its commands', async () => {
    await using services = await startServices()
    const commands = await readPage()
    expect(commands.length).toBeGreaterThan(10)
    for (const { command, output } of commands) {
      const script = `npx() { shift; '${process.execPath}' '${main}' "$@"; }\n${command.replaceAll('http://127.0.0.1:4010', services.url)}`
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { cwd: root })
      expect(JSON.parse(stdout), `${command}${stderr}`).toEqual(JSON.parse(output))
    }
    expect(services.printed()).toMatch(
      /log: a quote of 3 products\nlog: greet begins\nlog: greet gave Hello, Ada!\nlog: leave begins\nlog: leave gave Goodbye, Ada!\n$/,
    )
  })

  test('the page of the examples has every example with the command of its first lines', async () => {
    const commands = (await readPage()).map(({ command }) => command)
    const files = await definitionFiles()
    for (const file of files) {
      const [, own = 'none'] = /^# {3}(millrace run .*)$/m.exec(await readFile(`${examples}${file}`, 'utf8')) ?? []
      expect(commands).toContain(`npx ${own}\n`)
    }
    expect(files.length).toBeGreaterThan(10)
  })

  test('the page of the examples shows the whole output of answers and refusals', async () => {
    await using services = await startServices()
    const run = (...args: readonly string[]) => runCli(['run', ...args])
    const [quotes, none] = await Promise.all([
      run(`${examples}quotes.yaml`, '-i', `shop=${services.url}`, '-i', 'skus=["pot","tea","cup"]'),
      run(`${examples}product.yaml`, '-i', `shop=${services.url}`, '-i', 'sku=hat'),
    ])
    expect(quotes.stderr).toContain('↩ answer {"total":5230}')
    expect(JSON.parse(none.stdout)).toEqual({ name: 'no product hat', price: null })
    expect(none.stderr).toContain('✗ get                           Not Found (404)')
  })
})

async function definitionFiles(): Promise<readonly string[]> {
  return (await readdir(examples)).filter((file) => file.endsWith('.yaml'))
}

describe('every example', () => {
  test('every example validates without diagnostics', async () => {
    const files = (await definitionFiles()).map((file) => `${examples}${file}`)
    const { exitCode, stdout } = await runCli(['validate', '--json', ...files])
    expect(JSON.parse(stdout).files.flatMap((file: { readonly diagnostics: readonly unknown[] }) => file.diagnostics)).toEqual([])
    expect(exitCode).toBe(0)
  })

  test.each(runs)('$file with $input gives what it should', async ({ file, input, args = [], output }) => {
    const { exitCode, stdout, stderr } = await runCli([
      'run',
      `${examples}${file}`,
      '--quiet',
      ...args,
      ...input.flatMap((value) => ['--input', value]),
    ])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(output)
    expect(exitCode).toBe(0)
  })
})

describe('resilient-call.yaml', () => {
  const run = (url: string) => runCli(['run', `${examples}resilient-call.yaml`, '-q', '-i', `rates=${url}`, '-i', 'currency=EUR'])

  test('resilient-call.yaml succeeds after two failures of the service', async () => {
    await using service = await startHttpService((_, count) => (count < 3 ? { status: 503 } : { body: { rate: 1.25 } }))
    expect(JSON.parse((await run(service.url)).stdout)).toEqual({ currency: 'EUR', rate: 1.25, stale: false })
    expect(service.seen.map(({ path }) => path)).toEqual(['/latest/EUR', '/latest/EUR', '/latest/EUR'])
  })

  test('resilient-call.yaml falls back after four attempts', async () => {
    await using service = await startHttpService(() => ({ status: 503 }))
    expect(JSON.parse((await run(service.url)).stdout)).toEqual({ currency: 'EUR', rate: 1, stale: true })
    expect(service.seen).toHaveLength(4)
  })
})
