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
  /** Undefined when there is nobody who could be asked. */
  readonly prompt: ApprovalPrompt | undefined
  readonly terminal: Terminal
  readonly progress: Progress
}

/** A wait that is open, and the name of its task. */
export interface NamedWait {
  readonly wait: Wait
  readonly name: string
}

/** All that comes to a run from outside: events, and answers to what it asks. */
export interface ExternalInput extends Required<Pick<LocalRunDeps, 'journal' | 'published'>> {
  /** To be told of every task that begins. */
  taskStarted(position: string, node: TaskNode): void
  /** Gives it what there is, and from now on what comes. */
  attach(local: LocalRun): void
  waits(): readonly NamedWait[]
  /** Resolves when the screen is free of questions. */
  close(): Promise<void>
}

export function createExternalInput({ events, eventLines, answers, prompt, terminal, progress }: ExternalInputDeps): ExternalInput {
  const names = new Map<string, string>()
  const over = new AbortController()
  let current: LocalRun | undefined
  let lines: LineReader | undefined
  const nameOf = (position: string): string => names.get(position) ?? lastName(position)
  const questions = createApprovals({
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
    questions.opened(open, name)
  }

  async function readLines(local: LocalRun, input: LineReader): Promise<void> {
    const refused = (line: number, why: string): void => progress.note({ event: 'event.refused', line, why })
    try {
      await readEventLines(input, over.signal, { terminal, publish: (event) => local.publish(event), refused })
    } catch (error) {
      if (!over.signal.aborted) throw error
    }
  }

  return {
    journal,
    published: (event) => progress.note({ event: 'event.emitted', value: event }),
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
      over.abort()
      lines?.close()
      await questions.close()
    },
  }
}

/** The name of a task of another workflow, of which only the position is known. */
function lastName(position: string): string {
  return position.slice(position.lastIndexOf('/') + 1).replace(/(~\d+|\[\d+\]|!\d+)+$/, '')
}
