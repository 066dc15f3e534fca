import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { formatDuration } from '#terminal/duration.ts'
import type { Output } from '#terminal/terminal.ts'
import { report } from './report.ts'
import { createScreen, type Screen } from './screen.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { type ExecutionDetail, isAway, openSession, type Session } from './session.ts'
import { startShop } from './shop.ts'
import { createTimelinePrinter } from './timeline.ts'

export interface DemoOptions {
  readonly output: Output
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number
  /** For the account that is registered. */
  readonly password: string
  /** Ends the demo before its end, with the reason. */
  readonly signal: AbortSignal
}

const pollMs = 100
/** The time after the start of the wait at which the server is killed. */
const killAfterMs = 1_200

/** Shows a workflow that survives the death of its server. Resolves to whether every effect was done exactly once. */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { output, now, signal } = options
  const screen = createScreen(output)
  await using cleanup = new AsyncDisposableStack()
  screen.title('Millrace demo: an order that survives the death of its server')
  const startedAt = now()
  const shop = cleanup.use(await startShop())
  screen.step('shop', `${shop.url}, whose payment service is away at first`)

  const home = await temporaryHome(cleanup)
  const first = await started(screen, now, { home, port: 0 }, 'server')
  const running = { server: first }
  cleanup.defer(() => running.server.stop())

  const session = await openSession(first.url, options.password)
  screen.step('account', session.email)
  const workflow = await session.createWorkflow(await readFile(new URL('order.yaml', import.meta.url), 'utf8'))
  screen.step('workflow', `${workflow.name}, version ${workflow.version ?? 0}`)
  const executionId = await session.execute(workflow.id, { shop: shop.url, orderId: 1001 })
  screen.step('execution', executionId)
  screen.line()

  const printer = createTimelinePrinter(screen.paint, screen.columns)
  const show = (execution: ExecutionDetail): void => {
    for (const line of printer.linesOf(execution.timeline)) screen.line(line)
  }
  const watch = { session, executionId, show, signal }
  await follow(watch, isCoolingOff)
  await pause(killAfterMs, undefined, { signal })
  const killedAt = now()
  await first.kill()
  screen.alarm(`SIGKILL: the server (process ${first.pid}) is dead`)
  running.server = await started(screen, now, { home, port: Number(new URL(first.url).port) }, 'back again')

  const ended = await follow(watch, ({ state }) => ['completed', 'faulted', 'cancelled'].includes(state))
  screen.step('ended', `${ended.state}, ${formatDuration(now() - killedAt)} after the server was killed`)
  const passed = report(screen, ended, shop.calls)
  await cleanup.disposeAsync()
  screen.line(` ${screen.paint.dim(`All of it took ${formatDuration(now() - startedAt)}; everything that it made is deleted again.`)}`)
  return passed
}

/** PostgreSQL may run as another user and has to pass through the directory; what is in it is closed by itself. */
async function temporaryHome(cleanup: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-demo-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711)
  return join(directory, 'home')
}

async function started(
  screen: Screen,
  now: () => number,
  options: Parameters<typeof startServerProcess>[0],
  label: string,
): Promise<ServerProcess> {
  const at = now()
  const server = await startServerProcess(options)
  screen.step(label, `${server.url}, process ${server.pid}`, now() - at)
  return server
}

function isCoolingOff({ timeline }: ExecutionDetail): boolean {
  return timeline.some(({ name, endedAt }) => name === 'coolingOff' && endedAt === null)
}

interface Watch {
  readonly session: Session
  readonly executionId: string
  readonly show: (execution: ExecutionDetail) => void
  readonly signal: AbortSignal
}

/** Asks for the execution until it is as wanted, and shows what is new. */
async function follow(
  { session, executionId, show, signal }: Watch,
  until: (execution: ExecutionDetail) => boolean,
): Promise<ExecutionDetail> {
  for (;;) {
    signal.throwIfAborted()
    const execution = await session.read(executionId).catch((error: unknown) => {
      if (!isAway(error)) throw error
      return undefined
    })
    if (execution !== undefined) {
      show(execution)
      if (until(execution)) return execution
      if (execution.state === 'faulted' || execution.state === 'cancelled')
        throw new Error(`The execution is ${execution.state}: ${JSON.stringify(execution.error)}`)
    }
    await pause(pollMs, undefined, { signal })
  }
}
