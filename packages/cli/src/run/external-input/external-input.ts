import type { JsonObject, LocalRun, LocalRunDeps, TaskNode } from '@millrace/engine'
import type { Progress } from '#run/progress/task-event.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { ApprovalPrompt } from './approval-prompt.ts'
import { describeWait, type Wait } from './describe-wait.ts'
import type { GivenAnswer } from './given-answers.ts'
import { createLineReader, type LineReader } from './line-reader.ts'
import { createOpenWaits, type OpenWait } from './open-waits.ts'
import { createApprovals } from './approvals.ts'
import { readEventLines } from './read-event-lines.ts'

export interface ExternalInputDeps {
  readonly events: readonly JsonObject[]
  /** Whether standard input is events, one a line. */
  readonly eventLines: boolean
  readonly answers: readonly GivenAnswer[]
  /** Undefined when answers come from `--answer` only. */
  readonly prompt: ApprovalPrompt | undefined
  readonly terminal: Terminal
  readonly progress: Progress
}

/** A wait that is open, and the name of its task. */
export interface NamedWait {
  readonly wait: Wait
  readonly name: string
}

/** The input of a run from outside the process: events, and answers to approvals. */
export interface ExternalInput extends Required<Pick<LocalRunDeps, 'journal' | 'onPublished'>> {
  /** Must be called for every task that starts. */
  taskStarted(position: string, node: TaskNode): void
  /** Publishes the given events to the run, and from now on those of standard input. */
  attach(local: LocalRun): void
  waits(): readonly NamedWait[]
  /** Resolves when no prompt is on the screen. */
  close(): Promise<void>
}

export function createExternalInput({ events, eventLines, answers, prompt, terminal, progress }: ExternalInputDeps): ExternalInput {
  const names = new Map<string, string>()
  const closing = new AbortController()
  let current: LocalRun | undefined
  let lines: LineReader | undefined
  const nameOf = (position: string): string => names.get(position) ?? lastName(position)
  const approvals = createApprovals({
    answers,
    prompt,
    terminal,
    answer: (executionId, position, value) => void current?.answer(position, value, executionId),
    refused: (position, name, why) => progress.note({ event: 'answer.refused', position, name, why }),
  })
  const journal = createOpenWaits({
    opened,
    answered: (body) => progress.note({ event: 'run.answered', body }),
  })

  function opened(open: OpenWait): void {
    const { position, topic } = open.wait
    const name = nameOf(position)
    progress.note({ event: 'wait.opened', position, name, topic, what: describeWait(open.wait) })
    approvals.opened(open, name)
  }

  async function readLines(local: LocalRun, input: LineReader): Promise<void> {
    const refused = (line: number, why: string): void => progress.note({ event: 'event.refused', line, why })
    try {
      await readEventLines(input, closing.signal, { terminal, publish: (event) => local.publish(event), refused })
    } catch (error) {
      if (!closing.signal.aborted) throw error
    }
  }

  return {
    journal,
    onPublished: (event) => progress.note({ event: 'event.emitted', value: event }),
    taskStarted: (position, node) => void names.set(position, node.name),
    attach(local) {
      current = local
      for (const event of events) local.publish(event)
      if (!eventLines) return
      lines = createLineReader(terminal.stdin)
      void readLines(local, lines)
    },
    waits: () => journal.open().map((wait) => ({ wait, name: nameOf(wait.position) })),
    async close() {
      closing.abort()
      lines?.close()
      await approvals.close()
    },
  }
}

/** The name of a task of another workflow, derived from its position. */
function lastName(position: string): string {
  return position.slice(position.lastIndexOf('/') + 1).replace(/(~\d+|\[\d+\]|!\d+)+$/, '')
}
