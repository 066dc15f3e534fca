import { durationMs } from '@millrace/dsl'
import type { Json } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import type { Terminal } from '#terminal/terminal.ts'
import { approvalOutput, type Verdict } from './approval.ts'
import { type ApprovalPrompt, deadlinePassed, type OpenApproval } from './approval-prompt.ts'
import { checkAnswer, createGivenAnswers, type GivenAnswer } from './given-answers.ts'
import type { OpenWait } from './open-waits.ts'

export interface ApprovalsDeps {
  readonly answers: readonly GivenAnswer[]
  /** Undefined when there is nobody who could be asked. */
  readonly prompt: ApprovalPrompt | undefined
  readonly terminal: Pick<Terminal, 'now' | 'newId'>
  /** Given what the task is to go on with. */
  readonly answer: (executionId: string, position: string, value: Json) => void
  /** Told of an `--answer` that the task cannot take. */
  readonly refused: (position: string, name: string, why: string) => void
}

/** Longer than a timer can be, and than anybody waits for a run. */
const timerMsMax = 2 ** 31 - 1

/**
 * Finds the answers to what a run asks: those that were given, or those of whoever is asked, one question after another. A deadline counts
 * from when its question arose, and holds whether anybody is asked or not; but it alone does not keep a run from ending.
 */
export function createApprovals({ answers, prompt, terminal, answer, refused }: ApprovalsDeps) {
  const answerFor = createGivenAnswers(answers)
  const over = new AbortController()
  let asking: Promise<void> = Promise.resolve()

  function decide({ executionId, position, arguments: args }: OpenApproval, verdict: Verdict): void {
    const at = new Date(terminal.now()).toISOString()
    answer(executionId, position, approvalOutput(verdict, args, { id: terminal.newId(), at }))
  }

  /** @returns whether it was taken. */
  function give(question: OpenApproval, given: GivenAnswer): boolean {
    const checked = checkAnswer(given, question.arguments)
    if ('why' in checked) refused(question.position, question.name, checked.why)
    else decide(question, checked.verdict)
    return 'verdict' in checked
  }

  /** A signal that is aborted when the question needs no answer any more. */
  function startDeadline(question: OpenApproval, signal: AbortSignal): AbortSignal {
    const passed = new AbortController()
    const afterMs = (question.deadlineAtMs ?? Number.POSITIVE_INFINITY) - terminal.now()
    if (afterMs <= timerMsMax) {
      const timer = setTimeout(() => {
        passed.abort(deadlinePassed)
        decide(question, { decision: 'expire' })
      }, afterMs).unref()
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }
    return AbortSignal.any([signal, passed.signal, over.signal])
  }

  async function ask(question: OpenApproval, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const verdict = await prompt?.ask(question, signal)
    if (verdict !== undefined && !signal.aborted) decide(question, verdict)
  }

  return {
    /** To be told of every approval that is waited for. */
    opened({ executionId, wait, signal }: OpenWait, name: string): void {
      const { position, topic, arguments: args } = wait
      if (topic !== 'approve' || !isObject(args)) return
      const afterMs = durationMs(args['deadline'])
      const deadlineAtMs = afterMs === undefined ? undefined : terminal.now() + afterMs
      const question = { executionId, position, name, arguments: args, deadlineAtMs }
      const given = answerFor(position, name)
      if (given !== undefined && give(question, given)) return
      const either = startDeadline(question, signal)
      asking = asking.then(() => ask(question, either))
    },
    /** Resolves when nobody is asked any more. */
    async close(): Promise<void> {
      over.abort()
      await asking
      prompt?.close()
    },
  }
}
