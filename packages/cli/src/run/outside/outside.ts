import type { Json, JsonObject, LocalRun, LocalRunDeps, TaskNode } from '@millrace/engine'
import type { Progress } from '#run/progress/task-event.ts'
import { isObject } from '#run/read-input.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { approvalOutput, problemOf, readVerdict, type Verdict } from './approval.ts'
import { askApproval } from './ask-approval.ts'
import { describeWait, type Wait } from './describe-wait.ts'
import { createGivenAnswers, type GivenAnswer } from './given-answers.ts'
import { createLineReader, type LineReader } from './line-reader.ts'
import { createOpenWaits, type OpenWait } from './open-waits.ts'
import { readEventLines } from './read-event-lines.ts'

export interface OutsideDeps {
  readonly events: readonly JsonObject[]
  /** Whether standard input is events, one a line. */
  readonly eventLines: boolean
  readonly answers: readonly GivenAnswer[]
  /** Whether somebody sits at the terminal who can be asked. */
  readonly canAsk: boolean
  readonly terminal: Terminal
  readonly progress: Progress
  readonly mask: (text: string) => string
}

/** A wait that is open, and the name of its task. */
export interface NamedWait {
  readonly wait: Wait
  readonly name: string
}

/** All that comes to a run from outside: events, and answers to what it asks. */
export interface Outside extends Required<Pick<LocalRunDeps, 'journal' | 'published'>> {
  /** To be told of every task that begins. */
  begun(position: string, node: TaskNode): void
  /** Gives it what there is, and from now on what comes. */
  attach(local: LocalRun): void
  waits(): readonly NamedWait[]
  close(): void
}

export function createOutside(deps: OutsideDeps): Outside {
  const { terminal, progress, mask } = deps
  const names = new Map<string, string>()
  const answerFor = createGivenAnswers(deps.answers)
  const over = new AbortController()
  let current: LocalRun | undefined
  let lines: LineReader | undefined
  /** Questions are asked one after another. */
  let asking: Promise<void> = Promise.resolve()
  const nameOf = (position: string): string => names.get(position) ?? lastName(position)
  const journal = createOpenWaits({
    opened,
    answered: (body) => progress.note({ event: 'run.answered', body }),
  })

  function opened(open: OpenWait): void {
    const { position, topic, arguments: args } = open.wait
    const name = nameOf(position)
    progress.note({ event: 'wait.opened', position, name, topic, what: describeWait(open.wait) })
    if (topic === 'events') return
    const given = answerFor(position, name)
    if (given !== undefined) return give(open.wait, given, (why) => progress.note({ event: 'answer.refused', position, name, why }))
    if (deps.canAsk && topic === 'approve' && isObject(args)) asking = asking.then(() => ask(open, args))
  }

  function give({ position, topic, arguments: args }: Wait, { value, text }: GivenAnswer, refuse: (why: string) => void): void {
    if (topic !== 'approve' || (isObject(value) && 'approved' in value)) return void current?.answer(position, value)
    const verdict = readVerdict(value)
    if (verdict === undefined) return refuse(`${text} is neither "approve" nor "reject" nor an object with a decision`)
    const problem = problemOf(verdict, members(args))
    if (problem === undefined) decide(position, verdict, members(args))
    else refuse(problem)
  }

  function decide(position: string, verdict: Verdict, args: JsonObject): void {
    const at = new Date(terminal.now()).toISOString()
    current?.answer(position, approvalOutput(verdict, args, { id: terminal.newId(), at }))
  }

  async function ask({ wait, signal }: OpenWait, args: JsonObject): Promise<void> {
    if (signal.aborted || over.signal.aborted) return
    lines ??= createLineReader(terminal.stdin)
    const resume = progress.hold()
    const either = AbortSignal.any([signal, over.signal])
    try {
      const verdict = await askApproval(args, either, { lines, output: terminal.stderr, mask })
      if (verdict !== undefined) decide(wait.position, verdict, args)
    } catch (error) {
      if (!either.aborted) throw error
      terminal.stderr.write('\n')
    } finally {
      resume()
    }
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
    begun: (position, node) => void names.set(position, node.name),
    attach(local) {
      current = local
      for (const event of deps.events) local.publish(event)
      if (!deps.eventLines) return
      lines = createLineReader(terminal.stdin)
      void readLines(local, lines)
    },
    waits: () => journal.open().map((wait) => ({ wait, name: nameOf(wait.position) })),
    close() {
      over.abort()
      lines?.close()
    },
  }
}

function members(value: Json): JsonObject {
  return isObject(value) ? value : {}
}

/** The name of a task of another workflow, of which only the position is known. */
function lastName(position: string): string {
  return position.slice(position.lastIndexOf('/') + 1).replace(/(~\d+|\[\d+\]|!\d+)+$/, '')
}
