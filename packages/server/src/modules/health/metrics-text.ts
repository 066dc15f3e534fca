import { processRoles } from './model.ts'
import type { Health } from './service.ts'

type Figures = Awaited<ReturnType<Health['measure']>>

/** The figures of a process and its installation in the text format of Prometheus. Those of the database are absent while it does not respond. */
export function metricsText(figures: Figures): string {
  const { version, pool, eventLoopDelayMs, memory, queue, executions, processes } = figures
  const lines = [
    ...gauge('millrace_info', 'Version of the process.', [[`version="${version}"`, 1]]),
    ...gauge('millrace_database_up', 'Whether the database responds.', [['', queue === undefined ? 0 : 1]]),
    ...gauge('millrace_database_connections', 'Connections of the process to PostgreSQL.', [
      ['state="open"', pool.total],
      ['state="idle"', pool.idle],
    ]),
    ...gauge('millrace_database_waiting_requests', 'Requests that wait for a connection.', [['', pool.waiting]]),
    ...gauge('millrace_event_loop_delay_seconds', 'How late timers are, over the last minute.', [
      ['quantile="mean"', eventLoopDelayMs.mean / 1000],
      ['quantile="0.99"', eventLoopDelayMs.p99 / 1000],
    ]),
    ...gauge('millrace_memory_bytes', 'Memory of the process.', [
      ['kind="resident"', memory.rss],
      ['kind="heap"', memory.heapUsed],
    ]),
  ]
  if (queue !== undefined) {
    lines.push(
      ...gauge('millrace_queue_depth', 'Executions that are due and not claimed.', [['', queue.depth]]),
      ...gauge('millrace_queue_active', 'Executions that are claimed from the queue.', [['', queue.active]]),
      ...gauge('millrace_queue_oldest_waiting_seconds', 'For how long the oldest due execution has waited.', [
        ['', queue.oldestWaitingSeconds ?? 0],
      ]),
      ...gauge('millrace_dead_letters', 'Dead letters.', [['', queue.deadLetters]]),
    )
  }
  if (executions !== undefined) {
    lines.push(
      ...gauge('millrace_executions', 'Executions by state.', [
        ['state="running"', executions.running],
        ['state="waiting"', executions.waiting],
      ]),
    )
  }
  if (processes !== undefined) {
    const count = (role: string) => processes.filter(({ roles }) => roles.includes(role)).length
    lines.push(
      ...gauge(
        'millrace_processes',
        'Live processes by role.',
        processRoles.map((role) => [`role="${role}"`, count(role)] as const),
      ),
    )
  }
  return `${lines.join('\n')}\n`
}

function gauge(name: string, help: string, samples: readonly (readonly [labels: string, value: number])[]): readonly string[] {
  const written = samples.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...written]
}
